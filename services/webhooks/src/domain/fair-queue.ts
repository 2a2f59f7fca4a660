import type { QueueReference } from './ports.ts';

/** How many tries may be under way. */
export interface SlotLimits {
  /** By one endpoint. */
  readonly perEndpointMax: number;
  /** Tries younger than `slowAfterMs`, of endpoints not known to be slow. */
  readonly quickMax: number;
  /** Tries that outlasted `slowAfterMs`, and those of endpoints known for that: they never take a quick one's slot. */
  readonly slowMax: number;
  readonly slowAfterMs: number;
  /** Endpoints whose queue is read at the same time. */
  readonly claimsMax: number;
}

type Lane = 'quick' | 'slow';

interface Endpoint extends QueueReference {
  /** Tries it may have under way: doubles with each success, falls to one with a failure. */
  window: number;
  inFlight: number;
  lane: Lane;
  /** Whether its queue may hold something due. */
  hasWork: boolean;
  /** While its queue is read; then wakes count, since the read may have missed what they tell of. */
  claiming: boolean;
  wokenWhileClaiming: boolean;
}

/** Leave to read an endpoint's queue and to start at most `room` tries. */
export interface Turn {
  readonly queue: QueueReference;
  readonly room: number;
  /** Ends the turn with what it found; each found delivery has a slot from here on. */
  settle(found: number): Slot[];
}

/** One try's place. */
export interface Slot {
  /** The try takes long: from now on it counts as slow, and so does the endpoint. */
  slow(): void;
  free(succeeded: boolean): void;
}

/** Says which endpoint's deliveries go next. Endpoints take turns, and slow ones cannot hold up the others. */
export interface FairQueue {
  wake(queue: QueueReference): void;
  next(): Turn | undefined;
  inFlight(): number;
}

/** A queue of endpoints; it remembers only those with something to do. */
export function createFairQueue(limits: SlotLimits): FairQueue {
  const endpoints = new Map<string, Endpoint>();
  const ready: Record<Lane, Set<Endpoint>> = { quick: new Set(), slow: new Set() };
  const busy: Record<Lane, number> = { quick: 0, slow: 0 };
  const laneMax: Record<Lane, number> = { quick: limits.quickMax, slow: limits.slowMax };
  let claims = 0;

  /** Puts an endpoint at the end of its lane when it can start something, else out of it; forgets an idle one. */
  const review = (endpoint: Endpoint) => {
    const canStart = endpoint.hasWork && !endpoint.claiming && endpoint.inFlight < endpoint.window;
    const other = endpoint.lane === 'quick' ? 'slow' : 'quick';
    ready[other].delete(endpoint);
    if (canStart) ready[endpoint.lane].add(endpoint);
    else ready[endpoint.lane].delete(endpoint);
    const idle = !endpoint.hasWork && !endpoint.claiming && endpoint.inFlight === 0;
    if (idle) endpoints.delete(endpoint.endpointId);
  };

  const takeSlot = (endpoint: Endpoint, reserved: Lane): Slot => {
    let lane = reserved;
    let outlasted = false;
    return {
      slow() {
        outlasted = true;
        endpoint.lane = 'slow';
        if (lane === 'quick' && busy.slow < laneMax.slow) {
          busy.quick -= 1;
          busy.slow += 1;
          lane = 'slow';
        }
        review(endpoint);
      },
      free(succeeded) {
        busy[lane] -= 1;
        endpoint.inFlight -= 1;
        endpoint.window = succeeded ? Math.min(endpoint.window * 2, limits.perEndpointMax) : 1;
        if (succeeded && !outlasted) endpoint.lane = 'quick';
        review(endpoint);
      },
    };
  };

  const startTurn = (endpoint: Endpoint): Turn => {
    const lane = endpoint.lane;
    const room = Math.min(endpoint.window - endpoint.inFlight, laneMax[lane] - busy[lane]);
    Object.assign(endpoint, { claiming: true, wokenWhileClaiming: false, inFlight: endpoint.inFlight + room });
    busy[lane] += room;
    claims += 1;
    review(endpoint);
    return {
      queue: { merchantId: endpoint.merchantId, endpointId: endpoint.endpointId },
      room,
      settle(found) {
        claims -= 1;
        busy[lane] -= room - found;
        endpoint.inFlight -= room - found;
        endpoint.claiming = false;
        endpoint.hasWork = found === room || endpoint.wokenWhileClaiming;
        review(endpoint);
        return Array.from({ length: found }, () => takeSlot(endpoint, lane));
      },
    };
  };

  return {
    wake({ merchantId, endpointId }) {
      const endpoint = endpoints.get(endpointId) ?? newEndpoint(merchantId, endpointId);
      endpoints.set(endpointId, endpoint);
      endpoint.hasWork = true;
      endpoint.wokenWhileClaiming = true;
      review(endpoint);
    },
    next() {
      if (claims >= limits.claimsMax) return undefined;
      for (const lane of ['quick', 'slow'] as const) {
        const [endpoint] = ready[lane];
        if (endpoint !== undefined && busy[lane] < laneMax[lane]) return startTurn(endpoint);
      }
      return undefined;
    },
    inFlight: () => busy.quick + busy.slow,
  };
}

function newEndpoint(merchantId: string, endpointId: string): Endpoint {
  const idle = { hasWork: false, claiming: false, wokenWhileClaiming: false };
  return { merchantId, endpointId, window: 1, inFlight: 0, lane: 'quick', ...idle };
}

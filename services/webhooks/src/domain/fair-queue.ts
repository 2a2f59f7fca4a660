import type { QueueReference } from './ports.ts';

/** How much may be under way. */
export interface SlotLimits {
  /** Tries of one endpoint. */
  readonly perEndpointMax: number;
  /** Tries younger than `slowAfterMs`, of endpoints not known to be slow. */
  readonly quickMax: number;
  /** Tries that outlasted `slowAfterMs`, and those of endpoints known for that: they never take a quick one's slot. */
  readonly slowMax: number;
  readonly slowAfterMs: number;
  /** Queues that are read at the same time. */
  readonly claimsMax: number;
  /** Deliveries taken from one queue at once, while its endpoint answers well. */
  readonly claimMax: number;
  /** Deliveries taken and not yet started, of all endpoints. */
  readonly heldMax: number;
}

type Lane = 'quick' | 'slow';

interface Endpoint<Item> extends QueueReference {
  /** Tries it may have under way: doubles with each success, falls to one with a failure. */
  window: number;
  inFlight: number;
  lane: Lane;
  readonly held: Item[];
  /** Whether its queue may hold something due. */
  hasWork: boolean;
  /** While its queue is read; then wakes count, since the read may have missed what they tell of. */
  claiming: boolean;
  wokenWhileClaiming: boolean;
}

/** One try's place. */
export interface Slot {
  /** The try takes long: from now on it counts as slow, and so does its endpoint. */
  slow(): void;
  /** `skipped`: nothing was sent, so it tells nothing of the endpoint. */
  free(result: 'succeeded' | 'failed' | 'skipped'): void;
}

/** What to do next. */
export type Job<Item> =
  | { readonly kind: 'send'; readonly item: Item; readonly slot: Slot }
  | {
      readonly kind: 'claim';
      readonly queue: QueueReference;
      readonly max: number;
      /** Ends the claim with what was taken. */
      claimed(items: readonly Item[]): void;
    };

/**
 * Says what goes next. Endpoints take turns, and slow ones cannot hold up the others. It remembers only endpoints
 * with something to do.
 */
export class FairQueue<Item> {
  readonly #limits: SlotLimits;
  readonly #endpoints = new Map<string, Endpoint<Item>>();
  /** Lines of endpoints, each in the order of their turns. */
  readonly #claimable = new Set<Endpoint<Item>>();
  readonly #sendable: Record<Lane, Set<Endpoint<Item>>> = { quick: new Set(), slow: new Set() };
  readonly #busy: Record<Lane, number> = { quick: 0, slow: 0 };
  readonly #laneMax: Record<Lane, number>;
  #claims = 0;
  #held = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#laneMax = { quick: limits.quickMax, slow: limits.slowMax };
  }

  /** Tries under way. */
  get inFlight(): number {
    return this.#busy.quick + this.#busy.slow;
  }

  /** The endpoint's queue may hold something due. */
  wake({ merchantId, endpointId }: QueueReference): void {
    const endpoint = this.#endpoints.get(endpointId) ?? newEndpoint<Item>(merchantId, endpointId);
    this.#endpoints.set(endpointId, endpoint);
    endpoint.hasWork = true;
    endpoint.wokenWhileClaiming = true;
    this.#review(endpoint);
  }

  next(): Job<Item> | undefined {
    for (const lane of ['quick', 'slow'] as const) {
      const [endpoint] = this.#sendable[lane];
      if (endpoint !== undefined && this.#busy[lane] < this.#laneMax[lane]) return this.#startSend(endpoint);
    }
    const { claimsMax, claimMax, heldMax } = this.#limits;
    const mayClaim = this.#claims < claimsMax && this.#held + claimMax <= heldMax;
    const [endpoint] = this.#claimable;
    return endpoint !== undefined && mayClaim ? this.#startClaim(endpoint) : undefined;
  }

  /** Everything taken and not started; it is not given out any more. */
  takeHeld(): Item[] {
    const items: Item[] = [];
    for (const endpoint of this.#endpoints.values()) {
      items.push(...endpoint.held.splice(0));
      this.#review(endpoint);
    }
    this.#held -= items.length;
    return items;
  }

  /** Puts an endpoint at the end of the lines where it can do something, out of the others; forgets an idle one. */
  #review(endpoint: Endpoint<Item>): void {
    const { held, window, inFlight, lane, hasWork, claiming } = endpoint;
    const canSend = held.length > 0 && inFlight < window;
    place(this.#sendable.quick, endpoint, canSend && lane === 'quick');
    place(this.#sendable.slow, endpoint, canSend && lane === 'slow');
    place(this.#claimable, endpoint, hasWork && !claiming && held.length < window);
    if (!hasWork && !claiming && held.length === 0 && inFlight === 0) this.#endpoints.delete(endpoint.endpointId);
  }

  #startSend(endpoint: Endpoint<Item>): Job<Item> {
    const item = endpoint.held.shift()!;
    this.#held -= 1;
    const slot = this.#takeSlot(endpoint);
    this.#sendable[endpoint.lane].delete(endpoint);
    this.#review(endpoint);
    return { kind: 'send', item, slot };
  }

  #takeSlot(endpoint: Endpoint<Item>): Slot {
    const busy = this.#busy;
    let { lane } = endpoint;
    let outlasted = false;
    endpoint.inFlight += 1;
    busy[lane] += 1;
    return {
      slow: () => {
        outlasted = true;
        endpoint.lane = 'slow';
        if (lane === 'quick' && busy.slow < this.#laneMax.slow) {
          busy.quick -= 1;
          busy.slow += 1;
          lane = 'slow';
        }
        this.#review(endpoint);
      },
      free: (result) => {
        busy[lane] -= 1;
        endpoint.inFlight -= 1;
        if (result === 'failed') endpoint.window = 1;
        if (result === 'succeeded') endpoint.window = Math.min(endpoint.window * 2, this.#limits.perEndpointMax);
        if (result === 'succeeded' && !outlasted) endpoint.lane = 'quick';
        this.#review(endpoint);
      },
    };
  }

  #startClaim(endpoint: Endpoint<Item>): Job<Item> {
    const { merchantId, endpointId, window } = endpoint;
    const { perEndpointMax, claimMax } = this.#limits;
    const max = window < perEndpointMax ? perEndpointMax : claimMax;
    this.#claims += 1;
    this.#held += max;
    endpoint.claiming = true;
    endpoint.wokenWhileClaiming = false;
    this.#review(endpoint);
    const claimed = (items: readonly Item[]) => {
      this.#claims -= 1;
      this.#held -= max - items.length;
      endpoint.held.push(...items);
      endpoint.claiming = false;
      endpoint.hasWork = items.length === max || endpoint.wokenWhileClaiming;
      this.#review(endpoint);
    };
    return { kind: 'claim', queue: { merchantId, endpointId }, max, claimed };
  }
}

/** A set keeps its order of adding: one that is in a line already keeps its place. */
function place<Item>(line: Set<Endpoint<Item>>, endpoint: Endpoint<Item>, isIn: boolean): void {
  if (isIn) line.add(endpoint);
  else line.delete(endpoint);
}

function newEndpoint<Item>(merchantId: string, endpointId: string): Endpoint<Item> {
  const idle = { hasWork: false, claiming: false, wokenWhileClaiming: false };
  return { merchantId, endpointId, window: 1, inFlight: 0, lane: 'quick', held: [], ...idle };
}

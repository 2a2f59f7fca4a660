/** A limit as a client sees it. */
export interface Policy {
  /** Kebab-case, as in the `RateLimit` headers. */
  readonly name: string;
  /** Requests in one window. */
  readonly quota: number;
  readonly windowMs: number;
}

/** A window of a policy for one address, user or key. It begins with the first request that is counted in it. */
export interface Window {
  readonly policy: Policy;
  /** Where it is counted. */
  readonly key: string;
  /** A full one refuses the request, which is not counted in it: whether it is to be is not known yet. */
  readonly lookOnly?: true;
}

/** The metered calls of an API key in the running month. */
export interface Meter {
  /** Where the calls are counted, for identity to store. */
  readonly usageKey: string;
  /** How identity is told that there is something to store: `<credentialId>:<YYYY-MM>`. */
  readonly dirtyMember: string;
  /** Calls known to be stored: where a counter that was lost starts again. */
  readonly callsStored: number;
  /** Absent: without bound. */
  readonly policy: Policy | undefined;
  /** When the month ends, in ms since 1970. */
  readonly endsAt: number;
}

/** What one request is counted in: in all of it (but for what is only looked at) or, when any part is full, in none. */
export interface LimitGroup {
  readonly windows: readonly Window[];
  readonly meter?: Meter | undefined;
}

/** How a policy stands after a request was counted, or refused. */
export interface LimitState {
  readonly policy: Policy;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
  /** Whether the request was one too many. */
  readonly exceeded: boolean;
  readonly isMonth: boolean;
}

/** What a counter found: of each window its count with this request and the ms left, and the month's calls with this one. */
export interface Counted {
  readonly counts: readonly number[];
  readonly leftMs: readonly number[];
  readonly calls: number;
}

/** Relates what was counted to the quotas. `now` in ms since 1970. */
export function statesOf({ windows, meter }: LimitGroup, counted: Counted, now: number): LimitState[] {
  const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
  const attempts = windows.map(({ policy, lookOnly = false }, index) => ({
    policy,
    lookOnly,
    count: counted.counts[index] ?? 0,
    resetSeconds: seconds(counted.leftMs[index] ?? 0),
    isMonth: false,
  }));
  if (meter?.policy !== undefined) {
    const resetSeconds = seconds(meter.endsAt - now);
    attempts.push({ policy: meter.policy, lookOnly: false, count: counted.calls, resetSeconds, isMonth: true });
  }
  const refused = attempts.some(({ policy, count }) => count > policy.quota);
  return attempts.map(({ policy, lookOnly, count, resetSeconds, isMonth }) => ({
    policy,
    // A refused request is counted nowhere.
    remaining: Math.max(0, policy.quota - (refused || lookOnly ? count - 1 : count)),
    resetSeconds,
    exceeded: count > policy.quota,
    isMonth,
  }));
}

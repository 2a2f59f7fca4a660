import type { ClaimedDelivery, Delivery, Outcome } from './delivery.ts';
import type { Subscription, Webhook } from './webhook.ts';

/** A window over a list. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** The merchants' endpoints. Each call sees only the given merchant's. */
export interface WebhookStore {
  /** False when the merchant has as many as allowed. */
  insert(webhook: Webhook): Promise<boolean>;
  find(merchantId: string, id: string): Promise<Webhook | undefined>;
  /** Newest first; `query` matches a part of the URL, in any case. */
  list(merchantId: string, window: Window, query?: string): Promise<{ webhooks: Webhook[]; total: number }>;
  /** Stores a change over the revision before it; false when somebody changed or deleted the endpoint meanwhile. */
  replace(merchantId: string, webhook: Webhook): Promise<boolean>;
  delete(merchantId: string, id: string): Promise<boolean>;
  /** The enabled endpoints of these merchants. */
  subscriptions(merchantIds: readonly string[]): Promise<Subscription[]>;
}

/** One endpoint's queue. */
export interface QueueReference {
  readonly merchantId: string;
  readonly endpointId: string;
}

/** The queue of deliveries. It lives in the database; processes hold only what they are sending. */
export interface DeliveryStore {
  /** Adds new deliveries, due at once, in order; drops those whose event the endpoint has already. @returns how many were new. */
  insert(deliveries: readonly Delivery[]): Promise<number>;
  /** Takes at most `max` due deliveries, oldest first; they are this process's until the lease runs out. */
  claim(queue: QueueReference, max: number, leaseMs: number): Promise<ClaimedDelivery[]>;
  /** Stores what tries came to, for claims that still stand. */
  finish(results: readonly { delivery: ClaimedDelivery; outcome: Outcome }[]): Promise<void>;
  /** Fails what was due at `until`, since the endpoint is off. @returns how many. */
  dropDue(queue: QueueReference, until: Date): Promise<number>;
  /** Forgets every delivery of a deleted endpoint. */
  deleteAll(queue: QueueReference): Promise<void>;
  /** At most `max` queues with a due delivery. */
  dueQueues(max: number): Promise<QueueReference[]>;
  /** How many are not finished, counted up to `max`. */
  countPending(max: number): Promise<number>;
}

/** A POST to an endpoint. */
export interface WebhookPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Cuts the exchange short. */
  readonly signal?: AbortSignal;
  /** Whether the answer's body is wanted, or just its status. */
  readonly readsBody: boolean;
}

/** What came of a POST. Redirects are not followed. */
export type PostResult =
  | { readonly status: number /** At most 64 KiB; empty unless asked for. */; readonly body: string }
  | { readonly fault: 'timeout' | 'refused_address' | 'connection_failed' | 'aborted'; readonly message: string };

/** Sends to endpoints, and only to addresses that the policy allows. Never throws. */
export interface WebhookClient {
  post(request: WebhookPost): Promise<PostResult>;
}

/** Counts for operators. */
export interface DeliveryMetrics {
  /** `delivered`, `retry`, `failed`, `released` (not sent after all), `dropped` (endpoint off), `duplicate` (event seen before). */
  count(outcome: string, by?: number): void;
  /** Time from the event to its delivery. */
  observeLag(lagMs: number): void;
  /** Time from the event to the beginning of the first try. */
  observeFirstTry(lagMs: number): void;
  /** Tries under way. */
  setInFlight(count: number): void;
}

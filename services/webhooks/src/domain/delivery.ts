/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly merchantId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  /** The exact body that is sent. */
  readonly payload: string;
  /** When the event happened, or the time of its arrival when it did not say. */
  readonly occurredAt: Date;
  /** Tries that have ended. */
  readonly attempts: number;
}

/** A delivery that this process holds until its lease runs out. */
export interface ClaimedDelivery extends Delivery {
  /** The token of the claim: what the try came to is stored only while the claim still stands. */
  readonly claim: string;
}

/** What one try came to. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'retry'; readonly error: string; readonly status?: number; readonly afterMs: number }
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly status?: number;
      readonly disables: 'gone' | 'delivery_failed';
    }
  /** It was not sent, and does not count as a try: the process is stopping, or it had to wait for too long. */
  | { readonly kind: 'released' }
  /** Its endpoint is off. */
  | { readonly kind: 'dropped' };

/** 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 8 h: eleven tries in about 24 hours. */
export const retryScheduleMs: readonly number[] = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 28_800_000, 28_800_000,
];

const jitter = 0.1;

/** What an endpoint's answer to one try was: an HTTP status, or a word for why there was none. */
export type Answer = { readonly status: number } | { readonly fault: string };

/**
 * Judges one try. 2xx is success, 410 the end, anything else (a redirect too) is tried again after the schedule's
 * next delay ±10 %, until the schedule is used up.
 * @param attempts tries that ended before this one
 * @param random from 0 up to 1
 */
export function judge(answer: Answer, attempts: number, scheduleMs: readonly number[], random: number): Outcome {
  const status = 'status' in answer ? answer.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { kind: 'delivered', status };
  const error = 'fault' in answer ? answer.fault : `status ${answer.status}`;
  if (status === 410) return { kind: 'failed', error, status, disables: 'gone' };
  const delayMs = scheduleMs[attempts];
  if (delayMs === undefined) return { kind: 'failed', error, status, disables: 'delivery_failed' };
  return { kind: 'retry', error, status, afterMs: Math.round(delayMs * (1 + jitter * (2 * random - 1))) };
}

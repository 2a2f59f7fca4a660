import type { Caller } from '../grpc/caller.ts';
import { tracing } from '../telemetry/tracing.ts';

/** Who made the change that an event tells of. For consumers inside: merchants' endpoints never see it. */
export type EventActor = Omit<Caller, 'merchantId'>;

/** The actor of what a service does by itself, as at expiry. */
export interface SystemActor {
  readonly kind: 'system';
}

/** Where an event comes from. */
export interface EventOrigin {
  readonly actor: EventActor;
  /** W3C traceparent of the call, when it is traced. */
  readonly traceparent?: string;
}

/** The origin of the events that a call makes. */
export function originOf({ merchantId: _, ...actor }: Caller): EventOrigin {
  const traceparent = tracing()?.traceparent();
  return traceparent === undefined ? { actor } : { actor, traceparent };
}

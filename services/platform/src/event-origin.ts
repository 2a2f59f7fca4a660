import type { Caller } from './caller.ts';

/** Who made the change that an event tells of. For consumers inside: merchants' endpoints never see it. */
export type EventActor = Omit<Caller, 'merchantId'>;

/** Where an event comes from. */
export interface EventOrigin {
  readonly actor: EventActor;
}

/** The origin of the events that a call makes. */
export function originOf({ merchantId: _, ...actor }: Caller): EventOrigin {
  return { actor };
}

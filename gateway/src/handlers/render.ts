/** An instant as answers show it. */
export function iso(date: Date | undefined): string | null {
  return date === undefined ? null : date.toISOString();
}

/** A part of a service's answer that is always there; its absence is a bug of the service. */
export function present<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new Error(`The service's answer has no ${what}`);
  return value;
}

/** An instant that is always there. */
export const isoAlways = (date: Date | undefined, what: string): string => present(date, what).toISOString();

/** Text that proto3 gives as empty when it is absent. */
export const textOrNull = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text;

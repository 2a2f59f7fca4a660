/** A calendar month in UTC. */
export interface UtcMonth {
  /** `YYYY-MM`. */
  readonly name: string;
  /** ms since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** The month that `now` (ms since 1970) is in. */
export function utcMonthOf(now: number): UtcMonth {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    name: date.toISOString().slice(0, 7),
    startsAt: Date.UTC(year, month),
    endsAt: Date.UTC(year, month + 1),
  };
}

import { Fault } from './fault.ts';

const yearMax = 9999;
const timeOfDay = /^[Tt _](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d\d):?(\d\d))?$/;

/** Reads an ISO 8601 date-time, or a date as its midnight; without an offset it is UTC. */
export function parseDateTime(input: unknown): Date | Fault {
  if (typeof input !== 'string') return new Fault('datetime_type', 'Input should be a valid datetime');
  const error = dateFault(input);
  if (error !== undefined) return invalid(error);
  const day = Date.UTC(Number(input.slice(0, 4)), Number(input.slice(5, 7)) - 1, Number(input.slice(8, 10)));
  const ms = input.length === 10 ? 0 : timeMs(input.slice(10));
  if (ms === undefined) return invalid('unexpected extra characters at the end of the input');
  const instant = new Date(day + ms);
  // An offset may lead into a year that RFC 3339 cannot write.
  const year = instant.getUTCFullYear();
  return year > yearMax ? invalid(`year ${year} is out of range`) : instant;
}

const invalid = (error: string) =>
  new Fault('datetime_parsing', `Input should be a valid datetime, ${error}`, { error });

/** The first thing wrong with the date part, in pydantic's words. */
function dateFault(text: string): string | undefined {
  if (text.length < 10) return 'input is too short';
  const digits = (from: number, to: number) => /^\d+$/.test(text.slice(from, to));
  if (!digits(0, 4)) return 'invalid character in year';
  if (text[4] !== '-') return 'invalid date separator, expected `-`';
  if (!digits(5, 7)) return 'invalid character in month';
  if (text[7] !== '-') return 'invalid date separator, expected `-`';
  if (!digits(8, 10)) return 'invalid character in day';
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  if (month < 1 || month > 12) return 'month value is outside expected range of 1-12';
  if (day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) {
    return 'day value is outside expected range';
  }
  // Date.UTC reads years below 100 as 19xx; no card lives then.
  if (year < 100) return `year ${year} is out of range`;
  return undefined;
}

function timeMs(text: string): number | undefined {
  const parts = timeOfDay.exec(text);
  if (parts === null) return undefined;
  const [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)];
  const [offsetHour, offsetMinute] = [Number(parts[7] ?? 0), Number(parts[8] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const fraction = Math.floor(Number(`0.${parts[4] ?? '0'}`) * 1000);
  const offset = (offsetHour * 60 + offsetMinute) * (parts[6] === '-' ? -60_000 : 60_000);
  return ((hour * 60 + minute) * 60 + second) * 1000 + fraction - offset;
}

import { randomBytes } from 'node:crypto';

const counterMax = 0xffffff;
let counter = randomBytes(3).readUIntBE(0, 3);
const processPart = randomBytes(5).toString('hex');

/** A record id: 24 lowercase hex digits, laid out as a BSON ObjectId, so ids of one process sort by age. */
export function newId(now: number = Date.now()): string {
  counter = counter === counterMax ? 0 : counter + 1;
  const seconds = Math.floor(now / 1000);
  return seconds.toString(16).padStart(8, '0') + processPart + counter.toString(16).padStart(6, '0');
}

/** Whether `text` is a record id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}

import { balanceMinorMax } from '../domain/money.ts';
import type { CardDocument } from './card-schema.ts';
import type { EntryDocument } from './entry-schema.ts';

/** Proves one card, entry by entry: an unbroken chain that ends at the card's balance. */
export class CardCheck {
  readonly #card: CardDocument;
  readonly #name: string;
  readonly #fault: (text: string) => void;
  /** What is left of each redemption. */
  readonly #refundable = new Map<string, number>();
  #count = 0;
  #balance = 0;

  constructor(card: CardDocument, fault: (text: string) => void) {
    this.#card = card;
    this.#name = `card ${card._id.toHexString()}`;
    this.#fault = fault;
  }

  /** Takes the next entry; those past the card's entry count came after the card was read. */
  entry(entry: EntryDocument): void {
    if (entry.sequence > this.#card.entryCount) return;
    const at = `${this.#name}, entry ${entry._id.toHexString()}`;
    this.#count += 1;
    if (entry.sequence !== this.#count) this.#fault(`${at}: sequence ${entry.sequence}, not ${this.#count}`);
    if (!entry.merchantId.equals(this.#card.merchantId)) this.#fault(`${at}: is of another merchant`);
    const before = this.#balance;
    if (entry.balanceBeforeMinor !== before) this.#fault(`${at}: begins at ${entry.balanceBeforeMinor}, not ${before}`);
    this.#balance += entry.amountMinor;
    const after = this.#balance;
    if (entry.balanceAfterMinor !== after) this.#fault(`${at}: ends at ${entry.balanceAfterMinor}, not ${after}`);
    if (entry.type === 'REDEMPTION') this.#refundable.set(entry._id.toHexString(), -entry.amountMinor);
    if (entry.refundOf === undefined) return;
    const redemption = entry.refundOf.toHexString();
    const left = (this.#refundable.get(redemption) ?? 0) - entry.amountMinor;
    if (left < 0) this.#fault(`${at}: refunds ${-left} more than redemption ${redemption} was`);
    this.#refundable.set(redemption, left);
  }

  /** When there are no more. @returns how many there were */
  end(): number {
    const { balanceMinor, entryCount } = this.#card;
    const name = this.#name;
    if (!Number.isSafeInteger(balanceMinor)) this.#fault(`${name}: balance ${balanceMinor} is no integer`);
    if (balanceMinor < 0) this.#fault(`${name}: balance ${balanceMinor} is below zero`);
    if (balanceMinor > balanceMinorMax) this.#fault(`${name}: balance ${balanceMinor} is above the limit`);
    if (this.#count !== entryCount) this.#fault(`${name}: has ${this.#count} entries, not ${entryCount}`);
    if (this.#balance !== balanceMinor)
      this.#fault(`${name}: balance ${balanceMinor}, but entries sum to ${this.#balance}`);
    return this.#count;
  }
}

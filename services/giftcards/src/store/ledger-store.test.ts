import { expect, test } from '@jest/globals';
import mongoose, { type ClientSession } from 'mongoose';
import { newId } from '#platform/ids.ts';
import type { Card } from '../domain/card.ts';
import type { LedgerCommit } from '../domain/ports.ts';
import { type LedgerCollections, MongoLedgerStore } from './ledger-store.ts';
import type { WriterSessions } from './writer-sessions.ts';

const { MongoNetworkError, MongoServerError } = mongoose.mongo;
const lost = () => new MongoNetworkError('connection lost');
const forgotten = () => new MongoServerError({ message: 'no such transaction', code: 251 });

/** A commit of one inserted card and nothing else. */
function commitOf(): LedgerCommit {
  const at = new Date();
  const card: Card = {
    ...{
      id: newId(),
      merchantId: newId(),
      programId: newId(),
      version: 1,
      entryCount: 0,
      sealedNumber: '',
      numberHash: '',
    },
    ...{ lastFourDigits: '1234', codeHash: '', currency: 'GBP', balanceMinor: 0, initialValueMinor: 1 },
    status: 'pending',
    ...{ createdAt: at, updatedAt: at, expiresAt: at, isPhysical: false, delivered: false },
  };
  return { at, updates: [], inserts: [card], entries: [], idempotency: [], events: [] };
}

/** A store whose database answers the commit with these, one after another, and then has the card or not. */
function storeThatAnswers(answers: (Error | 'ok')[], isThere: boolean) {
  const left = [...answers];
  const session = {
    startTransaction() {},
    abortTransaction: async () => {},
    commitTransaction: async () => {
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
    },
  } as unknown as ClientSession;
  const sessions = { use: (work: (lent: ClientSession) => unknown) => work(session) } as unknown as WriterSessions;
  const cards = { insertMany: async () => {}, findOne: async () => (isThere ? {} : null) };
  const outbox = { append: async () => {}, wake() {} };
  const collections = { cards, outbox } as unknown as LedgerCollections;
  return { store: new MongoLedgerStore(sessions, collections), left };
}

test('a commit whose answer got lost is asked about until the server tells', async () => {
  const { store, left } = storeThatAnswers([lost(), lost(), 'ok'], false);
  expect(await store.commit(commitOf())).toBe(true);
  expect(left).toEqual([]);
});

test.each([
  ['committed, if its records are there', true],
  ['rolled back, if they are not', false],
])('a transaction that the server no longer knows was %s', async (_, isThere) => {
  const { store } = storeThatAnswers([lost(), forgotten()], isThere);
  expect(await store.commit(commitOf())).toBe(isThere);
});

test('a lost connection alone never counts as rolled back: the commit may still be under way', async () => {
  // The records are not there yet; only the server's own word ends the waiting.
  const { store, left } = storeThatAnswers([lost(), 'ok'], false);
  expect(await store.commit(commitOf())).toBe(true);
  expect(left).toEqual([]);
});

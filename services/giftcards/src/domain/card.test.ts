import { expect, test } from '@jest/globals';
import { type Card, type CardStatus, settleCard } from './card.ts';

const now = new Date('2026-01-01T00:00:00Z');
const earlier = new Date(now.getTime() - 1);
const later = new Date(now.getTime() + 1);
const card = (status: CardStatus, expiresAt: Date, suspendedUntil?: Date) =>
  ({ status, expiresAt, suspendedUntil, suspendedReason: 'lost', suspendedAt: earlier }) as Card;

test.each(['pending', 'active', 'suspended', 'depleted'] as const)(
  'a %s card is expired from expiresAt on',
  (status) => {
    expect(settleCard(card(status, now), now).status).toBe('expired');
    expect(settleCard(card(status, later), now).status).toBe(status);
  },
);

test('a voided card stays voided', () => {
  expect(settleCard(card('voided', earlier), now).status).toBe('voided');
});

test('a suspension whose end has passed lifts itself and leaves no trace', () => {
  const lifted = settleCard(card('suspended', later, now), now);
  expect(lifted).toMatchObject({ status: 'active', suspendedReason: undefined, suspendedUntil: undefined });
  expect(settleCard(card('suspended', new Date(now.getTime() + 5), later), now).status).toBe('suspended');
});

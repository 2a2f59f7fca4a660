import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Caller } from '#platform/grpc/caller.ts';
import { newId } from '#platform/ids.ts';
import { createKafka, type DomainEvent, type EventSubscription, subscribeToEvents } from '#platform/kafka/kafka.ts';
import { delay } from '#platform/retry.ts';
import { createTestLogger } from '#platform/testing.ts';
import { GiftCardsBench } from './testing.ts';

const bench = new GiftCardsBench('actors');
const events: DomainEvent[] = [];
let subscription: EventSubscription;

beforeAll(async () => {
  await bench.startReplica();
  const logger = createTestLogger();
  const { kafka } = bench.config;
  const options = { prefix: kafka.prefix, group: 'actors', logger };
  subscription = subscribeToEvents(createKafka(kafka, 'test', logger), options, async (batch) => {
    events.push(...batch);
  });
});
afterAll(async () => {
  await subscription.stop();
  await bench.stop();
});

const from = (requestId: string): Caller => ({
  ...bench.caller,
  credentialId: newId(),
  requestId,
  ip: '203.0.113.7',
  userAgent: `till/${requestId}`,
});

async function told(type: string, count: number): Promise<DomainEvent[]> {
  const seen = () => events.filter((event) => event.type === type);
  while (seen().length < count) await delay(10);
  return seen();
}

test('each event names who asked for it, also when commands of many commit together', async () => {
  const cards = await Promise.all(Array.from({ length: 12 }, () => bench.activeCard(1_000)));
  const callers = cards.map((_, index) => from(`r-${index}`));
  const target = (index: number) => bench.target(cards[index]!.card);
  await Promise.all(
    callers.map((caller, index) => bench.client.redeemCard({ target: target(index), amountMinor: 5n }, caller)),
  );
  const redeemed = await told('giftcard.redeemed', cards.length);
  const actorOfCard = new Map(redeemed.map((event) => [event.data.cardId, event.actor]));
  const expected = cards.map(({ card }, index): [string, object] => {
    const { merchantId: _, ...actor } = callers[index]!;
    return [card.id, actor];
  });
  expect(actorOfCard).toEqual(new Map(expected));
  expect(await told('giftcard.created', cards.length)).toMatchObject(
    cards.map(() => ({ actor: { requestId: 'test' } })),
  );
});

test('a repeat by another session is still the same request', async () => {
  const { card } = await bench.activeCard(1_000);
  const redeem = (caller: Caller) =>
    bench.client.redeemCard({ target: bench.target(card, 'same'), amountMinor: 10n }, caller);
  expect(await redeem(from('first'))).toMatchObject({ replayed: false });
  expect(await redeem(from('second'))).toMatchObject({ replayed: true, balanceMinor: 990n });
});

import type { Stack } from '#stack/stack-options.ts';
import { HttpConnection } from '../support/http-connection.ts';
import { demoOf } from '../support/stack-demo.ts';

/** A card as the load needs it. */
export interface BenchCard {
  readonly id: string;
  readonly number: string;
  readonly code: string;
}

/** A running stack with a merchant, a program, connections and cards. */
export interface Fixture {
  readonly stack: Stack;
  readonly programId: string;
  readonly merchantId: string;
  readonly cards: readonly BenchCard[];
  readonly hotCard: BenchCard;
  /** Sends one request as the merchant and throws unless it is answered 2xx. */
  call(client: number, method: string, path: string, body?: object, headers?: Record<string, string>): Promise<unknown>;
  close(): void;
}

/** Cards that load is spread over. */
export const cardCount = 2_000;
const connectionsMax = 128;

/** Issues and activates the cards through the API, as a merchant would. */
export async function createFixture(stack: Stack): Promise<Fixture> {
  const demo = await demoOf(stack);
  const connections = Array.from({ length: connectionsMax }, () => new HttpConnection(stack.baseUrl));
  const authorization = `Bearer ${demo.accessToken}`;
  const call: Fixture['call'] = async (client, method, path, body, headers = {}) => {
    const connection = connections[client] as HttpConnection;
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await connection.request(method, path, { authorization, ...headers }, text);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const cardsPath = `/v2/giftcards/programs/${demo.programId}/cards`;
  const makeCard = async (client: number): Promise<BenchCard> => {
    const card = (await call(client, 'POST', cardsPath, { initialValue: '5000.00' })) as {
      id: string;
      cardNumber: string;
      securityCode: string;
    };
    await call(client, 'POST', `${cardsPath}/${card.id}/activate`, {});
    return { id: card.id, number: card.cardNumber, code: card.securityCode };
  };
  const cards: BenchCard[] = [];
  let left = cardCount + 1;
  const issue = async (client: number) => {
    while (left-- > 0) cards.push(await makeCard(client));
  };
  await Promise.all(Array.from({ length: 64 }, (_, client) => issue(client)));
  const hotCard = cards.pop() as BenchCard;
  const close = () => {
    for (const connection of connections) connection.close();
  };
  return { stack, programId: demo.programId, merchantId: demo.merchantId, cards, hotCard, call, close };
}

/** Two different cards at random; the first is the hot one when given. */
export function pickTwo<T>(cards: readonly T[], hot?: T): [T, T] {
  const first = Math.floor(Math.random() * cards.length);
  const second = (first + 1 + Math.floor(Math.random() * (cards.length - 1))) % cards.length;
  return [hot ?? (cards[first] as T), cards[second] as T];
}

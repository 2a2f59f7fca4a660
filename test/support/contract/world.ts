import { sharedApi, sharedDemo } from '../shared-stack.ts';
import type { Known } from './valid-input.ts';

const demo = sharedDemo();
const api = sharedApi();

/** Credentials of the demo merchant. */
export const credentials = { appKey: demo.accessToken, withoutScopes: demo.keys.noScopes, accessToken: '' };

async function made(path: string, body: unknown = {}): Promise<Record<string, unknown>> {
  const answer = await api.post(path, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

let programId = '';
const cardsPath = () => `/v2/giftcards/programs/${programId}/cards`;

async function card(status: 'pending' | 'active' | 'suspended' = 'active') {
  const { id, cardNumber, securityCode } = await made(cardsPath(), { initialValue: 30 });
  if (status !== 'pending') await made(`${cardsPath()}/${id}/activate`);
  if (status === 'suspended') await made(`${cardsPath()}/${id}/suspend`, { reason: 'contract' });
  return { cardId: id, cardNumber, securityCode };
}

const template = async () => ({ templateId: (await made('/v2/templates', { name: 'x', passStyle: 'coupon' })).id });
const rule = async () => {
  const action = { type: 'award_points', points: 1 };
  const settings = { name: 'x', trigger: 'customer.enrolled', actions: [action] };
  return { ruleId: (await made(`/v2/loyalty/programs/${programId}/rules`, settings)).id };
};
const webhook = (url: string) => async () => ({ webhookId: (await made('/v2/webhooks', { url })).id });
const apiKey = async () => ({ id: (await made('/v2/keys', { name: 'contract' })).id });

/** What is needed for one request of an operation to be accepted; of what is used up, a new one each time. */
function situations(receiverUrl: string): Readonly<Record<string, () => Promise<Known>>> {
  const someWebhook = webhook('https://shop.example.com/hook');
  return {
    activateGiftCard: () => card('pending'),
    reloadGiftCard: card,
    redeemGiftCard: card,
    suspendGiftCard: card,
    unsuspendGiftCard: () => card('suspended'),
    voidGiftCard: () => card(),
    refundGiftCardTransaction: async () => {
      const { cardId } = await card();
      const { transactionId } = await made(`${cardsPath()}/${cardId}/redeem`, { amount: 29 });
      return { cardId, transactionId };
    },
    transferGiftCardBalance: async () => {
      const [source, destination] = [await card(), await card()];
      return { ...source, destinationCardNumber: destination.cardNumber };
    },
    createRule: async () => whenever,
    updateRule: async () => ({ ...(await rule()), ...whenever }),
    deleteTemplate: template,
    deleteRule: rule,
    updateWebhook: someWebhook,
    deleteWebhook: someWebhook,
    disableWebhook: someWebhook,
    enableWebhook: webhook(receiverUrl),
    createToken: async () => ({ ...login, grant_type: 'password', ...withoutOtherFactors }),
    deleteAppKey: async () => ({ id: (await made('/v2/appkeys', { name: 'contract' })).id }),
    deleteKey: apiKey,
    rotateKey: apiKey,
    freezeKey: apiKey,
    getKeyUsage: apiKey,
  };
}

/** What of a rule depends on the rest of it. */
const whenever = { trigger: 'transaction.recorded', startsAt: '2027-01-01T00:00:00Z', endsAt: '2027-02-01T00:00:00Z' };

const login = { username: demo.email, email: demo.email, password: demo.password };
const withoutOtherFactors = { passwordHash: undefined, code: undefined, refresh_token: undefined };

/** Records to work on, and their names by field. */
export interface World {
  /** What a request of this operation may name. */
  knownFor(operationId: string): Promise<Known>;
  /** Deletes what merchants may have few of. */
  clean(): Promise<void>;
}

export async function createWorld(receiverUrl: string): Promise<World> {
  programId = String((await made('/v2/loyalty/programs', { name: 'Contract' })).id);
  credentials.accessToken = String((await made('/v2/token', login)).access_token);
  const usual = {
    merchantId: demo.merchantId,
    merchant_id: demo.merchantId,
    programId,
    ...(await card()),
    ...(await template()),
    ...(await rule()),
    ...(await webhook('https://shop.example.com/hook')()),
  };
  const known = { ...usual, allowedTemplates: [usual.templateId] };
  const own = situations(receiverUrl);
  return {
    knownFor: async (operationId) => ({ ...known, ...(await own[operationId]?.()) }),
    async clean() {
      for (const [list, name] of cleaned) {
        const records = (await api.get(list)).body as unknown as { id: string; name?: string; url?: string }[];
        const mine = records.filter((record) => name.test(record.name ?? record.url ?? ''));
        await Promise.all(mine.map(({ id }) => api.send('DELETE', `${list}/${id}`)));
      }
    },
  };
}

/** Lists of which a merchant may have few, and whose entries are the contract's. */
const cleaned: readonly [string, RegExp][] = [
  ['/v2/webhooks', /shop\.example\.com/],
  ['/v2/keys', /^contract$/],
];

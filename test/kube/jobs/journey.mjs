// The main job of a merchant, through whatever BASE_URL leads to.
import { randomUUID } from 'node:crypto';
import { expectStatus, makeCards, required, send } from './client.mjs';

const programId = required('PROGRAM_ID');
const cards = `/v2/giftcards/programs/${programId}/cards`;

const equal = (what, given, expected) => {
  if (given !== expected) throw new Error(`${what}: expected ${expected}, got ${given}`);
};

const me = await expectStatus(200, 'GET', '/v2/token');
const programs = await expectStatus(200, 'GET', '/v2/loyalty/programs');
equal(
  'the program is listed',
  programs.some(({ id }) => id === programId),
  true,
);
const [first, second] = await makeCards(programId, 2, '30.00');
const key = randomUUID();
const move = { securityCode: first.code, destinationCardNumber: second.number, amount: '12.50' };
const moved = await expectStatus(200, 'POST', `${cards}/${first.id}/transfer`, move, { 'idempotency-key': key });
equal('what is left', moved.sourceCard.remainingBalance, '17.50');
const again = await send('POST', `${cards}/${first.id}/transfer`, move, { 'idempotency-key': key });
equal('a repeat', again.headers.get('idempotency-replayed'), 'true');
equal('the same transfer', again.body.transferId, moved.transferId);
const redeemed = await expectStatus(200, 'POST', `${cards}/${second.id}/redeem`, { amount: '42.50' });
equal('what is left', redeemed.remainingBalance, '0.00');
equal('its status', (await expectStatus(200, 'GET', `${cards}/${second.id}`)).status, 'depleted');
await expectStatus(400, 'POST', `${cards}/${second.id}/redeem`, { amount: '0.01' });
await expectStatus(422, 'POST', cards, { initialValue: 'much' });
console.log(JSON.stringify({ merchant: me.id, transferId: moved.transferId }));

// Freezes and deletes keys at one gateway, and measures until every gateway refuses them. GATEWAYS: their addresses.
import { expectStatus, required } from './client.mjs';

const gateways = required('GATEWAYS').split(',');
const revokedMsMax = 1_000;
const patienceMs = 5_000;
const path = '/v2/loyalty/programs';

const statusAt = async (gateway, key) => {
  const answer = await fetch(`http://${gateway}:8080${path}`, { headers: { authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  return answer.status;
};

const refusedAfterMs = async (gateway, key, since) => {
  while ((await statusAt(gateway, key)) === 200) {
    if (performance.now() - since > patienceMs) throw new Error(`${gateway} takes the key after ${patienceMs} ms`);
  }
  return Math.round(performance.now() - since);
};

const took = {};
for (const [what, method, suffix] of [
  ['freeze', 'POST', '/freeze'],
  ['delete', 'DELETE', ''],
]) {
  const { id, key } = await expectStatus(201, 'POST', '/v2/keys', { name: what, scopes: ['loyalty:read'] });
  for (const gateway of gateways) {
    const before = await statusAt(gateway, key);
    if (before !== 200) throw new Error(`${gateway} answers ${before} before the ${what}`);
  }
  await expectStatus(200, method, `/v2/keys/${id}${suffix}`);
  const since = performance.now();
  took[what] = await Promise.all(gateways.map((gateway) => refusedAfterMs(gateway, key, since)));
}
const slowest = Math.max(...Object.values(took).flat());
if (slowest > revokedMsMax) throw new Error(`refused after ${slowest} ms: ${JSON.stringify(took)}`);
console.log(JSON.stringify({ refusedAfterMs: took }));

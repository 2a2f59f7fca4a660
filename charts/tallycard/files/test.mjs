// Asks a fresh installation what every client asks first. Fails with what was expected and what came.
const base = process.env.BASE_URL;
/** Where each service says whether it is ready. */
const readyUrls = process.env.READY_URLS.split(' ');
const timeoutMs = 10_000;
const triesMax = Number(process.env.TRIES_MAX ?? 12);

async function expectStatus(path, status, options = {}) {
  const url = path.startsWith('/') ? base + path : path;
  let last = '';
  for (let tries = 1; tries <= triesMax; tries += 1) {
    try {
      const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
      const text = await response.text();
      if (response.status === status) return console.log(`ok    ${options.method ?? 'GET'} ${path} ${status}`) ?? text;
      last = `${response.status}: ${text.slice(0, 300)}`;
    } catch (error) {
      last = String(error.cause ?? error);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  console.error(`FAIL  ${options.method ?? 'GET'} ${path}: expected ${status}, got ${last}`);
  process.exit(1);
}

const json = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

await expectStatus('/readyz', 200);
await expectStatus('/status', 200);
const schema = JSON.parse(await expectStatus('/openapi.public.json', 200));
if (!schema.openapi.startsWith('3.1')) throw new Error(`the schema is OpenAPI ${schema.openapi}`);
for (const url of readyUrls) await expectStatus(url, 200);
// Refused by the gateway alone, and through it by identity and giftcards: it reaches them, and they take its word for who calls.
await expectStatus('/v2/token', 401);
await expectStatus('/v2/token', 401, json({ username: 'nobody@example.com', password: 'no such password' }));
await expectStatus(
  '/v2/giftcards/customer/balance-check',
  404,
  json({ cardNumber: '4000000000000002', securityCode: '000000' }),
);
console.log('all is well');

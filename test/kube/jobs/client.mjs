// A plain client of the API, for the jobs that run inside the cluster: Node and nothing else.
const base = required('BASE_URL');
const token = required('TOKEN');
const timeoutMs = 20_000;

export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
}

/** Sends one request. @returns {Promise<{status: number, body: any, headers: Headers}>} */
export async function send(method, path, body, headers = {}) {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
  };
}

/** The same, and ends the job when the answer has another status. */
export async function expectStatus(status, method, path, body, headers) {
  const answer = await send(method, path, body, headers);
  if (answer.status !== status) {
    throw new Error(`${method} ${path}: expected ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

/** Issues and activates cards. */
export async function makeCards(programId, count, initialValue) {
  const cards = `/v2/giftcards/programs/${programId}/cards`;
  const made = [];
  for (let index = 0; index < count; index += 1) {
    const card = await expectStatus(201, 'POST', cards, { initialValue });
    await expectStatus(200, 'POST', `${cards}/${card.id}/activate`);
    made.push({ id: card.id, number: card.cardNumber, code: card.securityCode });
  }
  return made;
}

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { breaches, isPublic, operations } from '../support/contract/contract.ts';
import { type ContractRequest, sendContract } from '../support/contract/contract-client.ts';
import { exampleParts, requestOf, seed, validParts } from '../support/contract/requests.ts';
import { createWorld, type World } from '../support/contract/world.ts';
import { sharedDemo } from '../support/shared-stack.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

// What the schema promises is what the server does, for whatever the schema allows.

const { baseUrl } = sharedDemo();
const runsMax = 6;
let receiver: WebhookReceiver;
let world: World;

beforeAll(async () => {
  receiver = await WebhookReceiver.start('contract');
  world = await createWorld(receiver.url);
});
afterAll(async () => {
  await world.clean();
  await receiver.stop();
});

const told = ({ method, path, headers, body }: ContractRequest) =>
  `${method} ${path} ${JSON.stringify({ headers, body })} (CONTRACT_SEED=${seed})`;

const named = operations.map((place) => [place.operationId, place] as const);

test.each(named)('%s takes its own example', async (operationId, place) => {
  const request = requestOf(place, exampleParts(place, await world.knownFor(operationId)));
  const answer = await sendContract(baseUrl, request);
  expect([told(request), breaches(place, answer)]).toEqual([told(request), []]);
  const successes = Object.keys(place.responses).filter((status) => status < '300');
  if (isPublic(place)) expect([told(request), answer]).toMatchObject([told(request), { status: Number(successes[0]) }]);
});

test.each(named)('%s answers whatever its schema allows as the schema says', async (operationId, place) => {
  const knowns = [];
  for (let run = 0; run < runsMax; run += 1) knowns.push(await world.knownFor(operationId));
  for (const parts of validParts(place, knowns)) {
    const request = requestOf(place, parts);
    const answer = await sendContract(baseUrl, request);
    const faults = breaches(place, answer);
    if (answer.status === 422 || answer.status >= 500) faults.push(`refused: ${JSON.stringify(answer.body)}`);
    expect([told(request), faults]).toEqual([told(request), []]);
  }
});

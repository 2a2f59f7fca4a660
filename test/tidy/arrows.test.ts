import { expect, test } from '@jest/globals';
import { arrowFaults } from './arrows.ts';
import { importsOf } from './imports.ts';

const names = {
  '#platform/*': './services/platform/src/*',
  '#proto/*': './proto/gen/tallycard/*',
  '#stack/*': './stack/*',
};

function faults(path: string, text: string): string[] {
  return arrowFaults(importsOf({ path, text }, names));
}

const domain = 'services/giftcards/src/domain/redeem-card.ts';
const transport = 'services/giftcards/src/transport/grpc/redeem-card.ts';
const store = 'services/giftcards/src/store/card-store.ts';

test.each([
  [domain, '../store/card-store.ts', 'no other layer'],
  [domain, '../transport/grpc/render.ts', 'no other layer'],
  [domain, '../config.ts', 'no other layer'],
  [domain, '#proto/giftcards/v1/giftcards.ts', 'protobuf'],
  [domain, 'mongoose', 'no library'],
  [domain, '@grpc/grpc-js', 'no library'],
  [domain, 'kafkajs', 'no library'],
  [domain, '#platform/mongo/mongo.ts', 'of the platform'],
  [transport, '../../store/card-store.ts', 'layers meet'],
  [transport, '../../app.ts', 'layers meet'],
  [transport, 'mongoose', 'mongoose'],
  [store, '../transport/grpc/render.ts', 'layers meet'],
  [store, '../config.ts', 'layers meet'],
  [store, '../../../identity/src/store/user-store.ts', 'no other service'],
  ['services/platform/src/process/run.ts', '../../../identity/src/app.ts', 'no other service'],
  ['services/giftcards/src/giftcards.test.ts', '../../identity/src/app.ts', 'no other service'],
  ['services/giftcards/src/app.ts', '../../../gateway/src/errors.ts', 'over gRPC'],
  ['gateway/src/app.ts', '../../services/identity/src/app.ts', 'over gRPC'],
  ['gateway/src/app.ts', '#stack/stack.ts', 'the stack'],
  ['stack/demo.ts', '../services/identity/src/app.ts', 'the stack runs'],
  ['services/giftcards/src/app.ts', './testing.ts', 'only tests'],
  ['gateway/src/app.ts', '#platform/testing.ts', 'only tests'],
])('%s must not import %s', (from, specifier, why) => {
  expect(faults(from, `import { a } from '${specifier}';`)).toEqual([expect.stringContaining(why)]);
});

test.each([
  [domain, './errors.ts'],
  [domain, '#platform/ids.ts'],
  [domain, 'node:crypto'],
  [transport, '../../domain/redeem-card.ts'],
  [transport, './render.ts'],
  [transport, '#proto/giftcards/v1/giftcards.ts'],
  [store, '../domain/card.ts'],
  [store, 'mongoose'],
  ['services/giftcards/src/app.ts', './store/card-store.ts'],
  ['services/giftcards/src/app.ts', './transport/grpc/redeem-card.ts'],
  ['services/giftcards/src/giftcards.test.ts', './testing.ts'],
  ['services/giftcards/test/races.test.ts', '../src/store/card-store.ts'],
  ['gateway/src/app.ts', '#platform/errors.ts'],
  ['stack/demo.ts', '#platform/grpc/client.ts'],
  ['test/faults/ledger-faults.test.ts', '#stack/stack.ts'],
])('%s may import %s', (from, specifier) => {
  expect(faults(from, `import { a } from '${specifier}';`)).toEqual([]);
});

test('the domain may take a type of a platform file that it must not run', () => {
  expect(faults(domain, "import type { DomainEvent } from '#platform/kafka/kafka.ts';")).toEqual([]);
  expect(faults(domain, "import { type DomainEvent, topic } from '#platform/kafka/kafka.ts';")).toHaveLength(1);
});

test.each([
  ['a type', "import type { Card } from '../store/card-store.ts';"],
  ['a re-export', "export { Card } from '../store/card-store.ts';"],
  ['a whole re-export', "export * from '../store/card-store.ts';"],
  ['a bare import', "import '../store/card-store.ts';"],
  ['a dynamic import', "const card = await import('../store/card-store.ts');"],
  ['an import over several lines', "import {\n  a,\n  b,\n} from '../store/card-store.ts';"],
])('%s is found', (_name, text) => {
  expect(faults(domain, text)).toHaveLength(1);
});

test('a fault names the file, the line and what is imported', () => {
  const [fault] = faults(domain, "// A comment.\nimport { a } from '../store/card-store.ts';");
  expect(fault).toContain(`${domain}:2 imports services/giftcards/src/store/card-store.ts`);
});

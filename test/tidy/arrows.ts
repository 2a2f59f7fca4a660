import type { Import } from './imports.ts';

/** Where a file stands, as far as the rules care. */
interface Place {
  /** `services`, `gateway`, `stack`, `test`, `proto`, or `package` for what is not of this repository. */
  readonly part: string;
  /** `giftcards` in services/giftcards/…; else empty. */
  readonly service: string;
  /** `domain` in services/giftcards/src/domain/…; empty for the files beside it. */
  readonly layer: string;
  /** Below the layer; a package's whole name. */
  readonly file: string;
}

interface Rule {
  readonly why: string;
  readonly breaks: (from: Place, to: Place, typeOnly: boolean) => boolean;
}

/** They talk to something outside, or are how one talks to it. */
const outsideLibraries =
  /^(mongoose|mongodb|@grpc\/.*|kafkajs|redis|redlock|express|http-proxy-middleware|prom-client)$/;
/** Platform files without input or output. */
const purePlatform = new Set([
  'currency.ts',
  'errors.ts',
  'html.ts',
  'ids.ts',
  'retry.ts',
  'scopes.ts',
  'validation.ts',
]);
/** Files that may know all layers. */
const joins = /^(app|main|.*-main|testing|testing-.*)\.ts$/;

const sameService = (from: Place, to: Place) => from.service !== '' && from.service === to.service;
const isPlatform = (place: Place) => place.service === 'platform';
const isProduct = (place: Place) => place.part === 'services' || place.part === 'gateway';

const rules: Rule[] = [
  {
    why: 'the domain knows no other layer: define a port',
    breaks: (from, to) => from.layer === 'domain' && sameService(from, to) && to.layer !== 'domain',
  },
  {
    why: 'the domain does not see protobuf messages: parse in transport',
    breaks: (from, to) => from.layer === 'domain' && to.part === 'proto',
  },
  {
    why: 'the domain uses no library that talks to the outside: define a port',
    breaks: (from, to) => from.layer === 'domain' && to.part === 'package' && outsideLibraries.test(to.file),
  },
  {
    why: 'of the platform the domain runs only what has no input or output; types are free',
    breaks: (from, to, typeOnly) =>
      from.layer === 'domain' && isPlatform(to) && !typeOnly && !purePlatform.has(to.file),
  },
  {
    why: 'layers meet only in app.ts',
    breaks: (from, to) =>
      from.part === 'services' &&
      from.layer !== '' &&
      from.layer !== 'domain' &&
      sameService(from, to) &&
      to.layer !== from.layer &&
      to.layer !== 'domain' &&
      (to.layer !== '' || joins.test(to.file) || to.file === 'config.ts'),
  },
  {
    why: 'mongoose is seen in store only',
    breaks: (from, to) =>
      from.part === 'services' &&
      !isPlatform(from) &&
      /^mongo(ose|db)$/.test(to.file) &&
      !/^(store|domain|)$/.test(from.layer),
  },
  {
    why: 'a service imports no other service: call it over gRPC',
    breaks: (from, to) =>
      from.part === 'services' && to.part === 'services' && !sameService(from, to) && !isPlatform(to),
  },
  {
    why: 'services and the gateway meet over gRPC only',
    breaks: (from, to) =>
      (from.part === 'services' && to.part === 'gateway') ||
      (from.part === 'gateway' && to.part === 'services' && !isPlatform(to)),
  },
  {
    why: 'the stack runs services, and imports of them only the platform',
    breaks: (from, to) => from.part === 'stack' && isProduct(to) && !isPlatform(to),
  },
  {
    why: 'the product does not need the stack or the tests',
    breaks: (from, to) => isProduct(from) && (to.part === 'stack' || to.part === 'test'),
  },
  {
    why: 'only tests use what is for testing',
    breaks: (from, to) => (isProduct(from) || from.part === 'stack') && isTestFile(to.part, to.file),
  },
];

function isTestFile(part: string, path: string): boolean {
  return part !== 'package' && /(^|\/)(testing(-[^/]*)?|[^/]*\.test)\.ts$/.test(path);
}

function placeOf(path: string): Place {
  const [part = '', ...rest] = path.split('/');
  if (!/^(services|gateway|stack|test|proto)$/.test(part) || rest.length === 0) {
    return { part: 'package', service: '', layer: '', file: packageOf(path) };
  }
  const [, service, inside] = /^services\/([^/]+)\/(?:src\/)?(.+)$/.exec(path) ?? ['', '', rest.join('/')];
  const cut = (inside ?? '').indexOf('/');
  const layer = part === 'services' && service !== 'platform' && cut > 0 ? (inside ?? '').slice(0, cut) : '';
  return { part, service: service ?? '', layer, file: layer === '' ? (inside ?? '') : (inside ?? '').slice(cut + 1) };
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Tests see every layer of their own service, and the stack. */
function isExempt(path: string, rule: Rule): boolean {
  const isTest = isTestFile('', path) || /^(services\/[^/]+\/|gateway\/)?test\//.test(path);
  return isTest && !rule.why.includes('over gRPC');
}

/** A line for each import that points where it must not. */
export function arrowFaults(imports: readonly Import[]): string[] {
  return imports.flatMap(({ from, to, typeOnly, line }) => {
    const [source, target] = [placeOf(from), placeOf(to)];
    const broken = rules.filter((rule) => !isExempt(from, rule) && rule.breaks(source, target, typeOnly));
    return broken.map(({ why }) => `${from}:${line} imports ${to}: ${why}`);
  });
}

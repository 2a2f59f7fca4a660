import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { connectMongo, createIndexes, createTransaction, withTransaction } from '../mongo/mongo.ts';
import { createTestDatabase, createTestLogger, type TestDatabase } from '../testing.ts';
import { createMailSender, type Mail, type MailConfig } from './mail.ts';
import { createMailQueue, type MailQueue, type MailRelaySettings } from './queue.ts';
import { startSmtpServer, type TestSmtpServer } from './testing-smtp.ts';

const keys = { current: 'k1', keys: new Map([['k1', randomBytes(32)]]) };
const quick: Partial<MailRelaySettings> = { pollMs: 10, retryMs: 20, retryMsMax: 50 };
const mail: Mail = {
  to: 'ada@shop.example',
  subject: 'Grüße, Ada',
  text: 'The code is 123456.',
  html: '<p>The code is <b>123456</b>.</p>',
};

let database: TestDatabase;
let connection: Connection;
let logger: ReturnType<typeof createTestLogger>;
let smtp: TestSmtpServer;
let outcomes: string[];
const opened: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  database = await createTestDatabase('mail');
  outcomes = [];
  logger = createTestLogger();
  connection = await connectMongo(database, logger);
  smtp = await startSmtpServer();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
  await smtp.stop();
  await connection.close();
  await database.drop();
});

/** A replica's queue, sending to the server unless told otherwise. */
async function startQueue(settings: Partial<MailRelaySettings> = {}, via?: MailConfig['via']): Promise<MailQueue> {
  const own = await connectMongo(database, logger);
  const queue = createMailQueue(own, keys, { ...quick, ...settings });
  await createIndexes(own);
  const smtpUrl = new URL(`smtp://127.0.0.1:${smtp.port}`);
  const sender = createMailSender({ from: 'Tallycard <no-reply@tallycard.example>', via: via ?? { smtpUrl } }, logger);
  queue.startRelay(sender, logger, { tried: (outcome) => outcomes.push(outcome) });
  opened.push({
    async stop() {
      await queue.stop();
      sender.close();
      await own.close();
    },
  });
  return queue;
}

const waiting = () => database.connection.collection('mails').countDocuments();

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${logger.lines.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a mail goes out with both parts, and is gone from the queue', async () => {
  await (await startQueue()).add(mail);
  await until(async () => (await waiting()) === 0);
  expect(smtp.mails).toHaveLength(1);
  const { recipients, raw } = smtp.mails[0]!;
  expect(recipients).toEqual(['ada@shop.example']);
  expect(raw).toMatch(/^From: Tallycard <no-reply@tallycard\.example>\r$/m);
  expect(raw).toMatch(/^To: ada@shop\.example\r$/m);
  expect(raw).toMatch(/^Message-ID: <[0-9a-f]{24}@tallycard\.example>\r$/m);
  expect(raw).toContain('Content-Type: text/plain');
  expect(raw).toContain('Content-Type: text/html');
  expect(raw).toContain('The code is <b>123456</b>.');
});

test('what waits is stored encrypted, and logs say nothing of it', async () => {
  await smtp.stop();
  await (await startQueue()).add(mail);
  await until(() => logger.lines.some((line) => line.includes('tried again')));
  const stored = JSON.stringify(await database.connection.collection('mails').find().toArray());
  for (const secret of ['123456', 'ada@shop.example']) {
    expect(stored).not.toContain(secret);
    expect(logger.lines.join('')).not.toContain(secret);
  }
});

test('while the server is down mails wait, and go out once it is up', async () => {
  const { port } = smtp;
  await smtp.stop();
  const queue = await startQueue();
  await queue.add(mail);
  await until(() => logger.lines.filter((line) => line.includes('tried again')).length >= 2);
  expect(await waiting()).toBe(1);
  await queue.add(mail);
  expect(await queue.waiting()).toBe(2);
  const oldest = await database.connection.collection('mails').findOne({}, { sort: { createdAt: 1 } });
  expect(await queue.oldestAt()).toEqual(oldest?.createdAt);
  expect(new Set(outcomes)).toEqual(new Set(['retry']));
  smtp = await startSmtpServer({ port });
  await until(async () => (await waiting()) === 0);
  expect(smtp.mails).toHaveLength(2);
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(2);
  expect([await queue.waiting(), await queue.oldestAt()]).toEqual([0, undefined]);
});

test('a mail that the server refuses for good is dropped, and holds up no other', async () => {
  smtp.refuse('nobody@shop.example', 550);
  const queue = await startQueue();
  await queue.add({ ...mail, to: 'nobody@shop.example' });
  await queue.add(mail);
  await until(async () => (await waiting()) === 0);
  expect(smtp.mails.map(({ recipients }) => recipients)).toEqual([['ada@shop.example']]);
  const told = logger.lines.filter((line) => line.includes('given up'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('550');
  expect(told[0]).not.toContain('nobody@');
  expect(outcomes.sort()).toEqual(['given_up', 'sent']);
});

test('a mail that the server puts off is tried again, and given up after so many times', async () => {
  smtp.refuse('busy@shop.example', 451);
  await (await startQueue({ attemptsMax: 3 })).add({ ...mail, to: 'busy@shop.example' });
  await until(async () => (await waiting()) === 0);
  expect(smtp.refusals()).toBe(3);
  expect(outcomes).toEqual(['retry', 'retry', 'given_up']);
});

test('a mail goes out only if its transaction commits', async () => {
  const queue = await startQueue();
  const other = createMailQueue(connection, keys);
  await createIndexes(connection);
  const transaction = createTransaction(connection);
  const failing = transaction(async () => {
    await other.add({ ...mail, to: 'lost@shop.example' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await transaction(() => other.add({ ...mail, to: 'kept@shop.example' }));
  await withTransaction(connection, (session) => other.add({ ...mail, to: 'told@shop.example' }, session));
  await queue.add(mail);
  await until(async () => smtp.mails.length >= 3 && (await waiting()) === 0);
  expect(smtp.mails.flatMap(({ recipients }) => recipients).sort()).toEqual([
    'ada@shop.example',
    'kept@shop.example',
    'told@shop.example',
  ]);
});

test('of two replicas one sends each mail', async () => {
  const [queue] = [await startQueue(), await startQueue()];
  for (let count = 0; count < 12; count += 1) await queue?.add({ ...mail, to: `to-${count}@shop.example` });
  await until(async () => (await waiting()) === 0);
  expect(smtp.mails).toHaveLength(12);
  expect(new Set(smtp.mails.flatMap(({ recipients }) => recipients)).size).toBe(12);
});

test('a mail whose sender died is sent by another once the lease is over', async () => {
  const dead = createMailQueue(connection, keys);
  await createIndexes(connection);
  await dead.add(mail);
  const claim = { $set: { nextAt: new Date(Date.now() + 300), attempts: 1 } };
  await database.connection.collection('mails').updateOne({}, claim);
  await startQueue();
  await until(async () => (await waiting()) === 0);
  expect(smtp.mails).toHaveLength(1);
});

test.each(['ada@shop.example\r\nBcc: eve@evil.example', 'a\nb'])('a header cannot be broken out of: %j', async (to) => {
  const queue = await startQueue();
  await expect(queue.add({ ...mail, to })).rejects.toThrow(TypeError);
  await expect(queue.add({ ...mail, subject: to })).rejects.toThrow(TypeError);
});

test('an address never becomes two recipients', async () => {
  await (await startQueue()).add({ ...mail, to: 'ada@shop.example,eve@evil.example' });
  await until(async () => (await waiting()) === 0 || smtp.mails.length > 0);
  expect(smtp.mails.flatMap(({ recipients }) => recipients)).not.toContain('eve@evil.example');
});

test('without a server mails become files that only their owner can read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tallycard-mail-'));
  try {
    await (await startQueue({}, { dir: join(dir, 'mail') })).add(mail);
    await until(async () => (await waiting()) === 0);
    const [name = ''] = await readdir(join(dir, 'mail'));
    expect(name).toMatch(/^\d{4}-.*-[0-9a-f]{24}\.eml$/);
    const file = join(dir, 'mail', name);
    expect(await readFile(file, 'utf8')).toContain('To: ada@shop.example');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(logger.lines.join('')).toContain(name);
  } finally {
    await rm(dir, { recursive: true });
  }
});

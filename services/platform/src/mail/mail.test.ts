import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EnvReader } from '../process/env.ts';
import { createTestLogger } from '../testing.ts';
import { createMailSender, readMailConfig } from './mail.ts';
import { startSmtpServer, type TestSmtpServer } from './testing-smtp.ts';

const read = (env: Record<string, string>) => {
  const reader = new EnvReader(env);
  return reader.done(readMailConfig(reader));
};

describe('configuration', () => {
  test('names both ways when neither is given', () => {
    expect(() => read({})).toThrow(/SMTP_URL \(or MAIL_DIR.*\) is required/);
  });

  test('asks who the mails are from', () => {
    expect(() => read({ SMTP_URL: 'smtp://mail.example' })).toThrow('MAIL_FROM is required');
    expect(() => read({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'nobody' })).toThrow('MAIL_FROM must be');
  });

  test.each(['mail.example:25', 'http://mail.example', 'smtp://'])('refuses %s, and shows no password', (url) => {
    const bad = () => read({ SMTP_URL: `${url}?x=hunter2`, MAIL_FROM: 'a@b.example' });
    expect(bad).toThrow('SMTP_URL must be smtp://');
    expect(bad).not.toThrow(/hunter2/);
  });

  test('prefers the server to the folder', () => {
    const config = read({ SMTP_URL: 'smtps://u:p@mail.example', MAIL_DIR: '/mail', MAIL_FROM: 'Shop <a@b.example>' });
    expect(config).toMatchObject({ from: 'Shop <a@b.example>', via: { smtpUrl: expect.any(URL) } });
    expect(read({ MAIL_DIR: 'mail' })).toMatchObject({ via: { dir: 'mail' } });
  });
});

describe('a server that asks for a password', () => {
  const mail = { to: 'ada@shop.example', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  let smtp: TestSmtpServer;
  beforeAll(async () => {
    smtp = await startSmtpServer({ login: { user: 'till@shop', pass: 'hunter2/…' } });
  });
  afterAll(() => smtp.stop());

  const send = (search: string, pass = 'hunter2/…') => {
    const smtpUrl = new URL(`smtp://till%40shop:${encodeURIComponent(pass)}@127.0.0.1:${smtp.port}${search}`);
    const sender = createMailSender({ from: 'a@b.example', via: { smtpUrl } }, createTestLogger());
    return sender.send('0123456789abcdef01234567', mail).finally(() => sender.close());
  };

  test('is not given one in clear, unless that is said to be fine', async () => {
    await expect(send('')).rejects.toThrow(/^SMTP ETLS/);
    expect(smtp.mails).toHaveLength(0);
    await send('?requireTLS=false');
    expect(smtp.mails).toHaveLength(1);
  });

  test('and refuses it fails without a word of the credentials, and may be tried again', async () => {
    const failed = await send('?requireTLS=false', 'wrong').catch((error: Error) => error);
    expect(failed).toMatchObject({ name: 'Error', message: 'SMTP EAUTH 535' });
  });
});

import { expect, test } from '@jest/globals';
import { toCountry } from './country.ts';
import { isDisposable } from './email-domain.ts';
import { accountExistsMail, confirmationMail } from './signup-mail.ts';

test.each([
  ['GB', 'GB'],
  ['de', 'DE'],
  ['ZZ', undefined],
  ['UK', undefined],
  ['12', undefined],
  ['ß', undefined],
  ['__', undefined],
])('%s is the country %s', (code, country) => {
  expect(toCountry(code)).toBe(country);
});

test.each([
  ['ada@mailinator.com', true],
  ['ada@mail.of.mailinator.com', true],
  ['ada@yopmail.com', true],
  ['ada@gmail.com', false],
  ['ada@corner-coffee.example', false],
  ['ada@notmailinator.company', false],
])('%s is disposable: %s', (email, disposable) => {
  expect(isDisposable(email)).toBe(disposable);
});

const facts = {
  to: 'ada@example.com',
  name: 'Ada',
  company: 'Corner & Co',
  network: '203.0.113.0/24',
  at: new Date(0),
};
const link = 'https://api.example.com/signup/verify?pendingId=a&code=b';

test('a confirmation shows what was submitted and the link, in both parts', () => {
  const { to, subject, text, html } = confirmationMail(facts, link);
  expect([to, subject]).toEqual(['ada@example.com', 'Confirm your Tallycard account']);
  expect(text).toContain(`\n\n${link}\n\n`);
  expect(text).toContain('Name: Ada\n  Company: Corner & Co\n  Requested: 1970-01-01 00:00 UTC from 203.0.113.0/24');
  expect(html).toContain('Company: Corner &amp; Co<br>');
  expect(html).toContain('<a href="https://api.example.com/signup/verify?pendingId=a&amp;code=b">');
});

test('what a stranger typed is neither markup nor a link nor another line', () => {
  const name = '<img src=x>\r\nBcc: eve@evil.example';
  const spam = confirmationMail({ ...facts, name, company: 'Win at http://evil.example/now' }, link);
  expect(spam.text + spam.html).not.toMatch(/<img|eve@|evil\.example/);
  const markup = confirmationMail({ ...facts, name: '<b>A\u202eda</b>\n\nx', company: 'x'.repeat(200) }, link);
  expect(markup.html).toContain('Name: &lt;b&gt;Ada&lt;/b&gt;x<br>');
  expect(markup.text).toContain(`Company: ${'x'.repeat(80)}…\n`);
});

test('the mail about an account that is there holds nothing that a stranger typed', () => {
  const { text, html } = accountExistsMail({ ...facts, name: 'Eve', company: 'Evil' });
  expect(text + html).not.toMatch(/Eve|Evil|verify/);
});

import { describe, expect, it } from '@jest/globals';
import { checkWebhookUrl } from './webhook-url.ts';

const strict = { allowLoopback: false };

describe('checkWebhookUrl', () => {
  it.each([
    ...['not a url', '', 'ftp://example.com/', 'file:///etc/passwd', 'javascript:alert(1)'],
    ...['https://user:secret@example.com/', 'https://user@example.com/', `https://example.com/${'x'.repeat(2083)}`],
    ...['http://127.0.0.1/', 'http://0x7f.1/', 'http://2130706433/', 'http://017700000001/', 'http://127.1./'],
    ...['http://[::1]/', 'http://[::ffff:7f00:1]/', 'http://[::ffff:10.0.0.1]/', 'http://[fe80::1]/', 'http://[::]/'],
    ...['http://10.0.0.1:8080/', 'http://169.254.169.254/latest/meta-data', 'http://0/', 'http://①②⑦.0.0.1/'],
    ...['http://localhost/', 'http://LOCALHOST./', 'http://a.localhost/'],
  ])('refuses %.60s at the url, without echoing it', (url) => {
    const item = { loc: ['body', 'url'], type: 'value_error', msg: expect.stringMatching(/^Value error, /) };
    expect(() => checkWebhookUrl(url, strict)).toThrow(
      expect.objectContaining({ kind: 'unprocessable', details: { detail: [item] } }),
    );
  });

  it.each([
    'https://example.com/hook?x=1',
    'http://example.com:8080',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('takes %s', (url) => expect(() => checkWebhookUrl(url, strict)).not.toThrow());

  it('takes loopback with the development flag, but nothing else that is private', () => {
    const policy = { allowLoopback: true };
    expect(() => checkWebhookUrl('http://127.0.0.1:3000/hook', policy)).not.toThrow();
    expect(() => checkWebhookUrl('http://localhost:3000/hook', policy)).not.toThrow();
    expect(() => checkWebhookUrl('http://10.0.0.1/', policy)).toThrow('not valid');
  });
});

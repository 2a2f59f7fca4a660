import { describe, expect, it } from '@jest/globals';
import { disabled, enabled, eventBody, newWebhook, wantsEvent, withSettings } from './webhook.ts';

const settings = {
  url: 'https://example.com/',
  allPassTemplates: true,
  allowedTemplates: [],
  allEventTypes: true,
  allowedEvents: [],
};
const now = new Date();
const fresh = newWebhook('a'.repeat(24), settings, 'secret-secret', now);
const event = { id: 'e', type: 'pass.created', merchantId: 'm', timestamp: '', data: { templateId: 't1' } };

describe('a webhook', () => {
  it('is off until it is verified', () => {
    expect(fresh).toMatchObject({ enabled: false, disabledReason: 'not_verified' });
    expect(enabled(fresh, now)).toMatchObject({ enabled: true, revision: 2 });
    expect(enabled(fresh, now)).not.toHaveProperty('disabledReason');
  });

  it('stays on when all but its URL changes, and keeps its secret when none is given', () => {
    const on = enabled(fresh, now);
    const changed = withSettings(on, { ...settings, allEventTypes: false }, undefined, now);
    expect(changed).toMatchObject({ enabled: true, allEventTypes: false, sharedSecret: 'secret-secret' });
    expect(withSettings(on, settings, 'another-one', now)).toMatchObject({
      enabled: true,
      sharedSecret: 'another-one',
    });
  });

  it('goes off with another URL', () => {
    const moved = withSettings(enabled(fresh, now), { ...settings, url: 'https://example.org/' }, undefined, now);
    expect(moved).toMatchObject({ enabled: false, disabledReason: 'url_changed' });
  });

  it('keeps the first reason for being off', () => {
    const gone = disabled(enabled(fresh, now), 'gone', now);
    expect(disabled(gone, 'disabled_by_merchant', now)).toBe(gone);
  });
});

describe('wantsEvent', () => {
  it.each([
    [{ allEventTypes: true }, true],
    [{ allEventTypes: false }, false],
    [{ allEventTypes: false, allowedEvents: ['pass.created'] }, true],
    [{ allEventTypes: false, allowedEvents: ['pass.deleted'] }, false],
    [{ allPassTemplates: false }, false],
    [{ allPassTemplates: false, allowedTemplates: ['t1'] }, true],
    [{ allPassTemplates: false, allowedTemplates: ['t2'] }, false],
  ])('with %j: %s', (changes, wanted) => {
    expect(wantsEvent({ ...fresh, ...changes }, event)).toBe(wanted);
  });

  it('lets events without a template past the template filter', () => {
    expect(wantsEvent({ ...fresh, allPassTemplates: false }, { ...event, data: {} })).toBe(true);
  });
});

it('an endpoint is not told who made a change', () => {
  const actor = { kind: 'user', userId: 'u', credentialId: 'c', requestId: 'r', ip: '203.0.113.7' } as const;
  expect(eventBody({ ...event, actor })).toBe(eventBody(event));
});

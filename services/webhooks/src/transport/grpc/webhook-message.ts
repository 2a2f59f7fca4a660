import type { CallContext } from '#platform/grpc/server.ts';
import { isId } from '#platform/ids.ts';
import type { WebhookSettings as SettingsMessage, Webhook as WebhookMessage } from '#proto/webhooks/v1/webhooks.ts';
import { errors } from '../../domain/errors.ts';
import type { Webhook, WebhookSettings } from '../../domain/webhook.ts';

/** The merchant a call is made for. @throws AppError `unauthorized` for callers without one. */
export function merchantOf({ caller }: CallContext): string {
  if (!isId(caller.merchantId)) throw errors.merchantMissing();
  return caller.merchantId;
}

/** @throws AppError `validation_error` when the settings are missing. */
export function parseSettings(message: SettingsMessage | undefined): {
  settings: WebhookSettings;
  sharedSecret: string | undefined;
} {
  if (message === undefined) throw errors.settingsMissing();
  const { sharedSecret, ...settings } = message;
  return { settings, sharedSecret };
}

export function renderWebhook(webhook: Webhook): WebhookMessage {
  const { merchantId: _merchantId, revision: _revision, ...rest } = webhook;
  return { ...rest, allowedTemplates: [...rest.allowedTemplates], allowedEvents: [...rest.allowedEvents] };
}

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { EnvReader } from '../process/env.ts';
import type { Logger } from '../telemetry/logging.ts';

/** One mail to one person. */
export interface Mail {
  /** An address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Where mails go: an SMTP server or, on a developer's machine, a folder of `.eml` files. */
export interface MailConfig {
  /** `Name <address>` or an address. */
  readonly from: string;
  readonly via: { readonly smtpUrl: URL } | { readonly dir: string };
}

const localSender = 'Tallycard <no-reply@tallycard.example>';

/**
 * Reads `SMTP_URL` (`smtp://` or `smtps://`, credentials in it; `?requireTLS=false` allows them in clear) with `MAIL_FROM`,
 * or `MAIL_DIR`. One of the two has to be there.
 */
export function readMailConfig(env: EnvReader): MailConfig {
  const smtp = env.string('SMTP_URL', '');
  const dir = env.string('MAIL_DIR', '');
  if (smtp === '') {
    if (dir === '') env.fault('SMTP_URL (or MAIL_DIR, for a folder of .eml files) is required');
    return { from: env.string('MAIL_FROM', localSender), via: { dir } };
  }
  const from = env.string('MAIL_FROM');
  if (from !== '' && !/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)) {
    env.fault('MAIL_FROM must be an address or "Name <address>"');
  }
  const url = URL.canParse(smtp) ? new URL(smtp) : undefined;
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    env.fault('SMTP_URL must be smtp://host:port or smtps://host:port');
  }
  return { from, via: { smtpUrl: url ?? new URL('smtp://localhost') } };
}

/** The server said no to this mail for good (RFC 5321, 4.2.1: a 5xx reply): no use in trying again. */
export class MailRejected extends Error {
  override name = 'MailRejected';
}

export interface MailSender {
  /**
   * Hands the mail over.
   * @param id - names the mail, so that a second copy after a crash is known as one
   * @throws {@link MailRejected}, or anything else for what may pass
   */
  send(id: string, mail: Mail): Promise<void>;
  close(): void;
}

export function createMailSender({ from, via }: MailConfig, logger: Logger): MailSender {
  return 'dir' in via ? folderSender(from, via.dir, logger) : smtpSender(from, via.smtpUrl);
}

/** An address as an object is never parsed: it cannot name a second recipient, nor end its header. */
function compose(from: string, id: string, { to, subject, text, html }: Mail) {
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 };

function smtpSender(from: string, url: URL): MailSender {
  const secure = url.protocol === 'smtps:';
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    // A password never goes out in clear because somebody on the way left STARTTLS out.
    requireTLS: !secure && user !== '' && url.searchParams.get('requireTLS') !== 'false',
    ...(user !== '' && { auth: { user, pass } }),
    ...timeouts,
  });
  return {
    async send(id, mail) {
      try {
        await transport.sendMail(compose(from, id, mail));
      } catch (error) {
        throw toMailError(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** Without the server's own words, which quote the recipient. */
function toMailError({ code = 'unknown', responseCode = 0 }: SmtpError): Error {
  const told = `SMTP ${code} ${responseCode}`;
  const ofThisMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return ofThisMail && responseCode >= 500 ? new MailRejected(told) : new Error(told);
}

function folderSender(from: string, dir: string, logger: Logger): MailSender {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(id, mail) {
      const { message } = await transport.sendMail(compose(from, id, mail));
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const file = join(dir, `${new Date().toISOString().replaceAll(':', '-')}-${id}.eml`);
      // Whole or not at all, and readable to its owner alone: it may hold a code.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      logger.info({ file }, 'a mail was written');
    },
    close: () => transport.close(),
  };
}

import { SMTPServer } from 'smtp-server';

/** What arrived. */
export interface ReceivedMail {
  readonly sender: string;
  readonly recipients: readonly string[];
  /** Headers and body as they came over the wire. */
  readonly raw: string;
}

/** A real SMTP server that keeps what it is sent. */
export interface TestSmtpServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** Answers this recipient with a code of RFC 5321 from now on. */
  refuse(recipient: string, code: number): void;
  /** How many recipients it refused. */
  refusals(): number;
  stop(): Promise<void>;
}

/** @param options.login - the only credentials that may send; anyone may without */
export async function startSmtpServer(
  options: { port?: number; login?: { user: string; pass: string } } = {},
): Promise<TestSmtpServer> {
  const { login } = options;
  const mails: ReceivedMail[] = [];
  const refused = new Map<string, number>();
  let refusals = 0;
  const server = new SMTPServer({
    authOptional: login === undefined,
    disabledCommands: login === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      const known = username === login?.user && password === login?.pass;
      done(known ? null : new Error('no such user'), { user: username });
    },
    onRcptTo({ address }, _session, done) {
      const code = refused.get(address);
      if (code === undefined) return done();
      refusals += 1;
      done(Object.assign(new Error(`<${address}> is not wanted here`), { responseCode: code }));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const recipients = envelope.rcptTo.map(({ address }) => address);
        mails.push({ sender, recipients, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mails,
    refuse: (recipient, code) => void refused.set(recipient, code),
    refusals: () => refusals,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

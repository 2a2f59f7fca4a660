// MongoDB, Redis, Kafka and a mail server on this machine, where a cluster's pods reach them: what a chart finds outside.
// COMPONENTS_HOST is the address, DATA_DIR the data; writes components.json there, and runs until SIGTERM.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { startComponents } from '#stack/stack.ts';

const host = process.env.COMPONENTS_HOST;
if (!host) throw new Error('COMPONENTS_HOST is not set');
const dataDir = resolve(process.env.DATA_DIR ?? '.local/kube');

const stack = await startComponents({ dataDir });
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData(stream, _session, done) {
    stream.resume().on('end', () => done());
  },
});
await new Promise<void>((listening) => mail.listen(0, host, listening));
const { port } = mail.server.address() as { port: number };
writeFileSync(join(dataDir, 'components.json'), JSON.stringify({ ...stack.uris, smtpUrl: `smtp://${host}:${port}` }));

const stop = async () => {
  await new Promise<void>((closed) => mail.close(() => closed()));
  await stack.stop();
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());

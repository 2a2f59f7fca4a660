// Run once by the starter as a process of its own: fetch and gRPC would cost the starter 40 MB for as long as it runs.
import { ensureDemo } from './demo.ts';

const { DEMO_FILE = '', DEMO_BASE_URL = '', DEMO_IDENTITY_ADDR = '', CALLER_SECRET = '' } = process.env;

await ensureDemo(DEMO_FILE, {
  baseUrl: DEMO_BASE_URL,
  identityAddress: DEMO_IDENTITY_ADDR,
  callerSecret: CALLER_SECRET,
});

import { join } from 'node:path';
import { ensureDemo } from '#stack/demo.ts';
import type { Demo } from '#stack/demo-file.ts';
import type { Stack } from '#stack/stack-options.ts';

/** The demo merchant and its rival on a running stack, made if need be, in its DATA_DIR/demo.json. */
export function demoOf(stack: Stack): Promise<Demo> {
  return ensureDemo(join(stack.dataDir, 'demo.json'), {
    baseUrl: stack.baseUrl,
    identityAddress: `127.0.0.1:${stack.ports.identityGrpc}`,
    callerSecret: String(stack.serviceEnv('identity').CALLER_SECRET),
  });
}

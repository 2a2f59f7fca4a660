import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStack } from '#stack/stack.ts';
import type { Stack } from '#stack/stack-options.ts';
import { demoOf } from './stack-demo.ts';

declare global {
  var tallycardTestStack: { stack: Stack; dataDir: string } | undefined;
}

/**
 * Brings up the one stack that all test files share: database, broker, cache, the five services and the gateway.
 * Test files find it in TEST_MONGODB_URI, TEST_REDIS_URL, TEST_KAFKA_BROKERS, TEST_BASE_URL and TEST_DATA_DIR. With these
 * set already (a stack left running while developing), that one is used.
 */
export default async function globalSetup(): Promise<void> {
  if (process.env.TEST_MONGODB_URI !== undefined) return;
  const dataDir = await mkdtemp(join(tmpdir(), 'tallycard-test-'));
  const stack = await startStack({ dataDir, env: { LOG_LEVEL: 'debug', ...testLimits } }).catch(async (error) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  globalThis.tallycardTestStack = { stack, dataDir };
  process.env.TEST_MONGODB_URI = stack.uris.mongodbUri;
  process.env.TEST_REDIS_URL = stack.uris.redisUrl;
  process.env.TEST_KAFKA_BROKERS = stack.uris.kafkaBrokers;
  process.env.TEST_BASE_URL = stack.baseUrl;
  await demoOf(stack);
  process.env.TEST_DATA_DIR = dataDir;
}

/** Retries come soon, so that a test need not wait for seconds; and all test files log in from one address. */
const testLimits = {
  WEBHOOK_RETRY_SCHEDULE_MS: '50,100,200,400,800',
  RATE_LIMIT_PER_IP: '100000',
  RATE_LIMIT_PER_USER: '100000',
  RATE_LIMIT_TOKEN_PER_IP: '1000',
  RATE_LIMIT_TOKEN_PER_EMAIL: '1000',
  RATE_LIMIT_SIGNUP_PER_IP: '1000',
  RATE_LIMIT_MFA_PER_USER: '1000',
  RATE_LIMIT_KEY_CHANGES_PER_USER: '1000',
  RATE_LIMIT_AUDIT_LOGS_PER_USER: '1000',
  RATE_LIMIT_SIGNUP_VERIFY_PER_IP: '1000',
  RATE_LIMIT_LOGOUT_PER_IP: '1000',
  RATE_LIMIT_BALANCE_CHECK_ANY_PROGRAM: '1000',
};

import { createClient } from 'redis';
import type { Logger } from '../telemetry/logging.ts';

export type RedisClient = ReturnType<typeof connectionTo>;

const commandMsMax = 2_000;
const reconnectMsMax = 1_000;

function connectionTo(url: string) {
  return createClient({
    url,
    // A command on a dead connection fails at once instead of queueing: callers answer 503 rather than hang.
    disableOfflineQueue: true,
    commandOptions: { timeout: commandMsMax },
    // A Redis that hangs is as good as gone: its connection is given up, so that no caller waits for it.
    pingInterval: 1_000,
    socket: {
      socketTimeout: 3_000,
      reconnectStrategy: (retries) => Math.min(reconnectMsMax, 25 * 2 ** Math.min(retries, 6)),
    },
  });
}

/**
 * Connects to Redis and keeps reconnecting in the background; it resolves even when Redis is down, so that a
 * service starts and answers `unavailable` until Redis is there.
 */
export async function connectRedis(url: string, logger: Logger): Promise<RedisClient> {
  const client = connectionTo(url);
  let lastLogged = 0;
  client.on('error', (error: Error) => {
    if (Date.now() - lastLogged < 5_000) return;
    lastLogged = Date.now();
    logger.warn({ err: error.message }, 'redis connection failed');
  });
  const first = client.connect();
  first.catch(() => undefined);
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 5_000).unref())]).catch(() => undefined);
  return client;
}

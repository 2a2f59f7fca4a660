import type { Connection } from 'mongoose';

/**
 * How long MongoDB may be away before a service says that it is not ready. A failover is over by then. When it is not,
 * every replica goes off at once: their calls could only fail, and the gateway, which goes on, answers 503 without
 * waiting for them.
 */
const lostMsMax = 5_000;

/** What of a connection's client is used. */
interface TopologyEvents {
  on(event: 'topologyDescriptionChanged', listener: (event: TopologyChange) => void): unknown;
}

interface TopologyChange {
  readonly newDescription: { readonly servers: ReadonlyMap<string, { readonly type: string }> };
}

const writable = new Set(['RSPrimary', 'Standalone', 'Mongos', 'LoadBalancer']);

/**
 * Tells when no server has taken writes for {@link lostMsMax}, and when one does again. The driver finds out by itself:
 * its heartbeats run all the time.
 */
export function watchMongo(client: TopologyEvents, onChange: (usable: boolean) => void, lostMs = lostMsMax): void {
  let lost: NodeJS.Timeout | undefined;
  let usable = true;
  const tell = (now: boolean) => {
    if (now !== usable) onChange(now);
    usable = now;
  };
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    if ([...newDescription.servers.values()].some(({ type }) => writable.has(type))) {
      clearTimeout(lost);
      lost = undefined;
      tell(true);
    } else lost ??= setTimeout(() => tell(false), lostMs).unref();
  });
}

/** The client of a connection, for {@link watchMongo}. */
export const clientOf = (connection: Connection): TopologyEvents => connection.getClient();

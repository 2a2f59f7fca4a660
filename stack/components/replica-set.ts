const notYetInitialized = 94;
const timeoutMs = 3_000;

/**
 * Makes a mongod the primary of a replica set of one, which transactions need. Safe to repeat; a set that knows the
 * member by another port (each start picks a free one) is told the new one.
 *
 * @param uri - direct connection to the node
 * @param host - `host:port` that the node can reach itself by
 * @returns whether it takes writes now
 */
export async function ensurePrimary(uri: string, host: string): Promise<boolean> {
  // Loaded here because only a real mongod needs the driver in the starter.
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs });
  try {
    const admin = (await client.connect()).db('admin');
    const isPrimary = async () => (await admin.command({ hello: 1 })).isWritablePrimary === true;
    if (await isPrimary()) return true;
    const { config } = await admin.command({ replSetGetConfig: 1 }).catch((error: { code?: number }) => {
      if (error.code !== notYetInitialized) throw error;
      return { config: undefined };
    });
    if (!config) {
      await admin.command({ replSetInitiate: { _id: 'tallycard', members: [{ _id: 0, host }] } });
    } else if (config.members[0].host !== host) {
      const next = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] };
      await admin.command({ replSetReconfig: next, force: true });
    }
    return await isPrimary();
  } finally {
    await client.close();
  }
}

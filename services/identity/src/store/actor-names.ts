import { type Connection, mongo } from 'mongoose';
import { isId } from '#platform/ids.ts';
import type { AuditActor } from '../domain/audit-entry.ts';
import type { ActorName, ActorNames } from '../domain/audit-ports.ts';

const collectionOf: Partial<Record<AuditActor['type'], string>> = {
  user: 'users',
  app_key: 'app_keys',
  api_key: 'api_keys',
};

interface NamedRow {
  _id: mongo.ObjectId;
  name?: string;
  email?: string;
}

/** Looks names up by id, all of a kind in one query. */
export function createActorNames(connection: Connection): ActorNames {
  const find = async (collection: string, ids: readonly string[]): Promise<[string, ActorName][]> => {
    const wanted = { _id: { $in: ids.map((id) => new mongo.ObjectId(id)) } };
    const rows = await connection
      .collection<NamedRow>(collection)
      .find(wanted, { projection: { name: 1, email: 1 } })
      .toArray();
    return rows.map(({ _id, name, email }) => [_id.toHexString(), { name: name ?? email, email }]);
  };
  return {
    async find(actors) {
      const kinds = Object.entries(collectionOf).map(async ([type, collection]) => {
        const ids = actors.filter((actor) => actor.type === type).map(({ id = '' }) => id);
        const known = [...new Set(ids)].filter(isId);
        return known.length > 0 ? find(collection, known) : [];
      });
      return new Map((await Promise.all(kinds)).flat());
    },
  };
}

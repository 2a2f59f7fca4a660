import { randomUUID } from 'node:crypto';
import { type Connection, mongo } from 'mongoose';
import { isDuplicateKey } from '#platform/mongo/mongo.ts';
import type { ClaimedDelivery, Delivery, Outcome } from '../domain/delivery.ts';
import type { DeliveryStore, QueueReference } from '../domain/ports.ts';
import { type DeliveryRow, deliveryCollection } from './delivery-schema.ts';

const objectId = (id: string) => mongo.BSON.ObjectId.createFromHexString(id);
const unlocked = { lockedBy: true, lockedUntil: true } as const;
const dayMs = 86_400_000;
const keptMs = { delivered: 7 * dayMs, failed: 30 * dayMs } as const;
const inFuture = (ms: number) => new Date(Date.now() + ms);
const keyOf = ({ merchantId, endpointId }: QueueReference) => ({
  merchantId: objectId(merchantId),
  endpointId: objectId(endpointId),
});

/** Deliveries in MongoDB. */
export function createDeliveryStore(connection: Connection): DeliveryStore {
  const rows = deliveryCollection(connection);
  return {
    async insert(deliveries) {
      const now = new Date();
      try {
        const { insertedCount } = await rows.insertMany(
          deliveries.map((delivery) => toRow(delivery, now)),
          { ordered: false },
        );
        return insertedCount;
      } catch (error) {
        return insertedDespiteDuplicates(error);
      }
    },
    async claim(queue, max, leaseMs) {
      const due = { ...keyOf(queue), status: 'pending', nextAttemptAt: { $lte: new Date() } } as const;
      const found = await rows.find(due).sort({ nextAttemptAt: 1, _id: 1 }).limit(max).toArray();
      if (found.length === 0) return [];
      const ids = found.map((row) => row._id);
      const lockedBy = randomUUID();
      const lockedUntil = inFuture(leaseMs);
      const { modifiedCount } = await rows.updateMany(
        { ...due, _id: { $in: ids } },
        { $set: { lockedBy, lockedUntil, nextAttemptAt: lockedUntil } },
      );
      if (modifiedCount === found.length) return found.map((row) => toDelivery(row, lockedBy));
      // Another replica took some of them in between.
      const ours = await rows
        .find({ _id: { $in: ids }, lockedBy })
        .project<{ _id: mongo.BSON.ObjectId }>({ _id: 1 })
        .toArray();
      const mine = new Set(ours.map((row) => row._id.toHexString()));
      return found.filter((row) => mine.has(row._id.toHexString())).map((row) => toDelivery(row, lockedBy));
    },
    async finish(results) {
      await rows.bulkWrite(updatesOf(results), { ordered: false });
    },
    async dropDue(queue, until) {
      const { modifiedCount } = await rows.updateMany(
        { ...keyOf(queue), status: 'pending', nextAttemptAt: { $lte: until } },
        { $set: dropped(), $unset: unlocked },
      );
      return modifiedCount;
    },
    async deleteAll(queue) {
      await rows.deleteMany(keyOf(queue));
    },
    async dueQueues(max) {
      // Sort and $first on the index make MongoDB hop from endpoint to endpoint instead of reading the backlog.
      const found = await rows
        .aggregate<{ _id: mongo.BSON.ObjectId; merchantId: mongo.BSON.ObjectId }>([
          { $match: { status: 'pending' } },
          { $sort: { status: 1, endpointId: 1, nextAttemptAt: 1 } },
          {
            $group: { _id: '$endpointId', dueAt: { $first: '$nextAttemptAt' }, merchantId: { $first: '$merchantId' } },
          },
          { $match: { dueAt: { $lte: new Date() } } },
          { $limit: max },
        ])
        .toArray();
      return found.map((row) => ({ merchantId: row.merchantId.toHexString(), endpointId: row._id.toHexString() }));
    },
    countPending: (max) => rows.countDocuments({ status: 'pending' }, { limit: max }),
  };
}

function toRow(delivery: Delivery, now: Date): DeliveryRow {
  const { id, merchantId, endpointId, eventId, ...rest } = delivery;
  return {
    ...rest,
    _id: objectId(id),
    ...keyOf({ merchantId, endpointId }),
    eventId: objectId(eventId),
    status: 'pending',
    nextAttemptAt: now,
    createdAt: now,
  };
}

function toDelivery(row: DeliveryRow, claim: string): ClaimedDelivery {
  const { type, payload = '', occurredAt, attempts } = row;
  const ids = {
    id: row._id.toHexString(),
    merchantId: row.merchantId.toHexString(),
    endpointId: row.endpointId.toHexString(),
    eventId: row.eventId.toHexString(),
  };
  return { ...ids, type, payload, occurredAt, attempts, claim };
}

type Result = Parameters<DeliveryStore['finish']>[0][number];

/**
 * One update for all that were delivered with the same status, since that is most of them; one each for the others. The
 * token goes with the end of the claim, so a filter on the status would add nothing but another index to choose from.
 */
function updatesOf(results: readonly Result[]): mongo.AnyBulkWriteOperation<DeliveryRow>[] {
  const sameOutcome = Map.groupBy(results, ({ delivery, outcome }) =>
    outcome.kind === 'delivered' ? String(outcome.status) : `${delivery.id} ${delivery.claim}`,
  );
  return [...sameOutcome.values()].map((group) => ({
    updateMany: {
      filter: {
        _id: { $in: group.map(({ delivery }) => objectId(delivery.id)) },
        lockedBy: { $in: [...new Set(group.map(({ delivery }) => delivery.claim))] },
      },
      update: changeOf(group[0]!.outcome),
    },
  }));
}

function dropped() {
  return { status: 'failed' as const, lastError: 'endpoint disabled', expiresAt: inFuture(keptMs.failed) };
}

function changeOf(outcome: Outcome): mongo.UpdateFilter<DeliveryRow> {
  if (outcome.kind === 'released') return { $set: { nextAttemptAt: new Date() }, $unset: unlocked };
  if (outcome.kind === 'dropped') return { $set: dropped(), $unset: unlocked };
  const tried = { $inc: { attempts: 1 } };
  if (outcome.kind === 'delivered') {
    const $set = { status: outcome.kind, lastStatus: outcome.status, expiresAt: inFuture(keptMs.delivered) };
    return { ...tried, $set, $unset: { ...unlocked, payload: true, lastError: true } };
  }
  const { status: lastStatus, error: lastError } = outcome;
  const last = lastStatus === undefined ? { lastError } : { lastError, lastStatus };
  const $unset = lastStatus === undefined ? { ...unlocked, lastStatus: true as const } : unlocked;
  return outcome.kind === 'retry'
    ? { ...tried, $set: { ...last, nextAttemptAt: inFuture(outcome.afterMs) }, $unset }
    : { ...tried, $set: { ...last, status: outcome.kind, expiresAt: inFuture(keptMs.failed) }, $unset };
}

/** How many were stored when nothing but duplicates was refused. */
function insertedDespiteDuplicates(error: unknown): number {
  if (!isDuplicateKey(error) || !(error instanceof mongo.MongoBulkWriteError)) throw error;
  const faults = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  if (faults.some((fault) => fault.code !== 11000)) throw error;
  return error.insertedCount;
}

import { type Admin, AssignerProtocol, type Kafka } from 'kafkajs';

/** How far a consumer group is in one partition, as Kafka has it. */
export interface PartitionLag {
  readonly partition: number;
  /** The next message that the group has to process. */
  readonly offset: number;
  /** Messages that it has not processed. */
  readonly lag: number;
}

export interface LagReader {
  /** Of the partitions that this consumer answers for, see {@link partitionsToTell}. Asks Kafka at most every 5 s. */
  read(): Promise<readonly PartitionLag[]>;
  stop(): Promise<void>;
}

/** What Kafka says of a group. */
export interface GroupState {
  readonly state: string;
  readonly members: readonly { readonly memberId: string; readonly partitions: readonly number[] }[];
}

const freshMs = 5_000;
const unsettled = ['PreparingRebalance', 'CompletingRebalance'];

/**
 * The partitions that no other member has. So each partition is told of by one consumer, and sums over consumers are
 * right; what nobody consumes is told of by all of them rather than by none. While members are being given partitions
 * it is those of before.
 */
export function partitionsToTell(
  all: readonly number[],
  { state, members }: GroupState,
  memberId: string | undefined,
  before: readonly number[] | undefined,
): readonly number[] {
  if (unsettled.includes(state)) return before ?? all;
  const ofOthers = new Set(members.filter((member) => member.memberId !== memberId).flatMap((one) => one.partitions));
  return all.filter((partition) => !ofOthers.has(partition));
}

/** Reads committed offsets against end offsets, so that a consumer that stands still shows what piles up. */
export function createLagReader(
  kafka: Kafka,
  { groupId, topic, memberId }: { groupId: string; topic: string; memberId: () => string | undefined },
): LagReader {
  let admin: Admin | undefined;
  let told: readonly number[] | undefined;
  let reading: Promise<readonly PartitionLag[]> | undefined;
  /** Infinite while a reading is under way, which all then wait for. */
  let readAt = 0;
  let stopped = false;

  const connected = async () => {
    if (admin !== undefined) return admin;
    const fresh = kafka.admin({ retry: { retries: 1 } });
    admin = fresh;
    await fresh.connect();
    return fresh;
  };

  const readNow = async (): Promise<readonly PartitionLag[]> => {
    if (stopped) return [];
    try {
      const asked = await connected();
      // Committed offsets first: an end that is read later is never before them.
      const [committed] = await asked.fetchOffsets({ groupId, topics: [topic] });
      const [ends, group] = await Promise.all([asked.fetchTopicOffsets(topic), describe(asked, groupId, topic)]);
      const all = ends.map(({ partition }) => partition);
      told = partitionsToTell(all, group, memberId(), told);
      return ends
        .filter(({ partition }) => told?.includes(partition))
        .map(({ partition, low, high }) => {
          const next = Number(committed?.partitions.find((one) => one.partition === partition)?.offset ?? -1);
          // Nothing committed yet (-1), or retention overtook the group: it reads on from the first one there is.
          const offset = Math.max(next, Number(low));
          return { partition, offset, lag: Math.max(0, Number(high) - offset) };
        });
    } catch (error) {
      const failed = admin;
      admin = undefined;
      await failed?.disconnect().catch(() => undefined);
      throw error;
    }
  };

  return {
    read() {
      if (reading === undefined || Date.now() - readAt >= freshMs) {
        readAt = Number.POSITIVE_INFINITY;
        reading = readNow().finally(() => {
          readAt = Date.now();
        });
      }
      return reading;
    },
    async stop() {
      stopped = true;
      await admin?.disconnect().catch(() => undefined);
    },
  };
}

async function describe(admin: Admin, groupId: string, topic: string): Promise<GroupState> {
  const { groups } = await admin.describeGroups([groupId]);
  const [group] = groups;
  if (group === undefined) throw new Error('Kafka does not describe the consumer group');
  const members = group.members.map(({ memberId, memberAssignment }) => ({
    memberId,
    partitions: AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? [],
  }));
  return { state: group.state, members };
}

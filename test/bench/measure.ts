/** What a number of clients did in a time, one request each at a time. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One row of the table; `ratio` is against the raw loop of the same run. */
export interface Row extends Sample {
  readonly name: string;
  readonly clients: number;
  readonly against: string;
  readonly againstPerSecond: number;
  readonly againstP50Ms: number;
  readonly ratio: number;
}

/**
 * Does one unit of work for a client. When `signal` aborts, the time is up: work that would go on trying gives up by
 * throwing {@link Abandoned}, and does not count.
 */
export type Work = (client: number, signal: AbortSignal) => Promise<unknown>;

/** Thrown by work that did not get done in time. */
export class Abandoned extends Error {}

/** How long and how often both are measured. */
export interface Rounds {
  readonly rounds: number;
  readonly roundMs: number;
}

const roundsDefault: Rounds = { rounds: 2, roundMs: 2_000 };
const warmUpMs = 700;

/** Measures `subject` and `baseline` in turn, so that both see the same machine, and relates them. */
export async function compare(
  name: string,
  clients: number,
  subject: Work,
  baseline: { readonly name: string; readonly work: Work },
  { rounds, roundMs }: Rounds = roundsDefault,
): Promise<Row> {
  const [own, raw]: [Round[], Round[]] = [[], []];
  await run(clients, warmUpMs, subject);
  await run(clients, warmUpMs, baseline.work);
  for (let round = 0; round < rounds; round += 1) {
    own.push(await run(clients, roundMs, subject));
    raw.push(await run(clients, roundMs, baseline.work));
  }
  const [mine, theirs] = [summarize(own), summarize(raw)];
  return {
    name,
    clients,
    ...mine,
    against: baseline.name,
    againstPerSecond: theirs.perSecond,
    againstP50Ms: theirs.p50Ms,
    ratio: round2(mine.perSecond / theirs.perSecond),
  };
}

interface Round {
  readonly elapsedMs: number;
  readonly latenciesMs: number[];
}

async function run(clients: number, durationMs: number, work: Work): Promise<Round> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(durationMs);
  const loop = async (client: number) => {
    while (performance.now() - startedAt < durationMs) {
      const at = performance.now();
      const done = await work(client, signal).then(
        () => true,
        (error) => {
          if (error instanceof Abandoned) return false;
          throw error;
        },
      );
      if (done) latenciesMs.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)));
  return { elapsedMs: performance.now() - startedAt, latenciesMs };
}

function summarize(all: readonly Round[]): Sample {
  const latencies = all.flatMap((round) => round.latenciesMs).sort((a, b) => a - b);
  const elapsedMs = all.reduce((sum, round) => sum + round.elapsedMs, 0);
  const at = (share: number) =>
    round2(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0);
  return { perSecond: Math.round((latencies.length / elapsedMs) * 1000), p50Ms: at(0.5), p99Ms: at(0.99) };
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

import type { mongo } from 'mongoose';
import type { EntryDocument } from './entry-schema.ts';

type Leg = Pick<EntryDocument, 'transferId' | 'amountMinor'>;

/** Transfers whose ids leave `rest` when divided by `modulus`. */
interface Share {
  readonly modulus: number;
  readonly rest: number;
}

/** What one share of the transfers came to. */
export interface TransferReport {
  readonly transfers: number;
  readonly faults: readonly string[];
}

/** Transfers of which one entry alone is remembered at once, about 245 bytes each. */
const halvesMaxDefault = 200_000;
/** Digits of an id that tell shares apart: its counter, which fits an integer. */
const counterDigits = 6;

/**
 * Finds transfers that have not two entries, or whose entries do not add up to zero, share by share.
 *
 * A transfer's two entries have ids made in the same moment, so in the order of ids few wait for their other half.
 * Where more than `halvesMax` do, as in a database that lost entries, the share is halved and begun anew: memory is
 * bounded, at the price of another pass.
 */
export async function* verifyTransfers(
  entries: mongo.Collection<EntryDocument>,
  halvesMax = halvesMaxDefault,
): AsyncGenerator<TransferReport> {
  const shares: Share[] = [{ modulus: 1, rest: 0 }];
  for (let share = shares.pop(); share !== undefined; share = shares.pop()) {
    const canSplit = share.modulus < 16 ** counterDigits;
    const found = await verifyShare(entries, share, canSplit ? halvesMax : Number.POSITIVE_INFINITY);
    if (found !== 'too many') yield found;
    else {
      const { modulus, rest } = share;
      shares.push({ modulus: 2 * modulus, rest: rest + modulus }, { modulus: 2 * modulus, rest });
    }
  }
}

async function verifyShare(
  entries: mongo.Collection<EntryDocument>,
  share: Share,
  halvesMax: number,
): Promise<TransferReport | 'too many'> {
  const open = new Map<string, number>();
  const faults: string[] = [];
  let transfers = 0;
  for await (const { id, amountMinor } of legs(entries, share)) {
    const other = open.get(id);
    if (other === undefined) {
      if (open.size === halvesMax) return 'too many';
      open.set(id, amountMinor);
      continue;
    }
    open.delete(id);
    transfers += 1;
    if (other + amountMinor === 0) continue;
    if (faults.length === halvesMax) return 'too many';
    faults.push(`transfer ${id}: its entries add up to ${other + amountMinor}`);
  }
  if (open.size === 0) return { transfers, faults };
  // One that came while they were read may have shown one entry; asked for by itself it has both.
  const found = new Map<string, { count: number; sum: number }>();
  for await (const { id, amountMinor } of legs(entries, share)) {
    if (!open.has(id)) continue;
    const { count, sum } = found.get(id) ?? { count: 0, sum: 0 };
    found.set(id, { count: count + 1, sum: sum + amountMinor });
  }
  for (const [id, { count, sum }] of found) {
    transfers += 1;
    if (count !== 2 || sum !== 0) faults.push(`transfer ${id}: ${count} entries that add up to ${sum}`);
  }
  return { transfers, faults };
}

async function* legs(entries: mongo.Collection<EntryDocument>, { modulus, rest }: Share) {
  const projection = { transferId: 1, amountMinor: 1 };
  for await (const leg of entries.find<Leg>({ transferId: { $exists: true } }, { projection }).sort({ _id: 1 })) {
    const id = leg.transferId?.toHexString() ?? '';
    if (Number.parseInt(id.slice(-counterDigits), 16) % modulus === rest) yield { id, amountMinor: leg.amountMinor };
  }
}

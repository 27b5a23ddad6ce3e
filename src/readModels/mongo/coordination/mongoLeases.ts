/**
 * Leases as MongoDB documents, one per holding: `{ _id: name/token, owner, beat }`; the one with the greatest token
 * counts. Acquiring is an insert, so that of two processes using the same token one fails on every server that has
 * unique keys, whatever guarantees its updates give.
 */
import { type Collection, type Db, MongoServerError } from 'mongodb';
import type { LeaseRecord, Leases } from '../../leases.ts';

type Holding = { readonly _id: string; readonly owner: string | null; readonly beat: number };

const DUPLICATE_KEY = 11000;
/** Digits of a token in a key, so that keys sort numerically. */
const TOKEN_DIGITS = 16;

const keyOf = (name: string, token: number): string =>
  `${encodeURIComponent(name)}/${String(token).padStart(TOKEN_DIGITS, '0')}`;
const nameIn = (key: string): string => decodeURIComponent(key.slice(0, -TOKEN_DIGITS - 1));
/** Sorts after every character of an encoded name. */
const BEHIND = '\x7f';
const keysOf = (name: string) => ({ $gte: keyOf(name, 0), $lte: keyOf(name, Number.MAX_SAFE_INTEGER) });

/**
 * The connection's concerns apply: majority writes and, on a replica set, majority reads. A failover may undo what a
 * majority has not seen, and then there would be two holders.
 */
export function createMongoLeases({ db }: { readonly db: Db }): Leases {
  const holdings: Collection<Holding> = db.collection<Holding>('leases');

  async function read(name: string): Promise<LeaseRecord | null> {
    const [top] = await holdings.find({ _id: keysOf(name) }, { sort: { _id: -1 }, limit: 1 }).toArray();
    return top ? asRecord(top) : null;
  }

  return {
    read,

    async acquire({ name, owner, seen, tokenAbove }) {
      if (!isSame(await read(name), seen)) return null;
      const taken = { name, owner, token: Math.max(seen?.token ?? 0, tokenAbove) + 1, beat: (seen?.beat ?? 0) + 1 };
      try {
        await holdings.insertOne({ _id: keyOf(name, taken.token), owner, beat: taken.beat });
      } catch (error) {
        if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return null;
        throw error;
      }
      await holdings.deleteMany({ _id: { ...keysOf(name), $lt: keyOf(name, taken.token) } });
      return isSame(await read(name), taken) ? taken : null;
    },

    async renew({ name, owner, token }) {
      // Resending a renewal whose response was lost does no harm.
      const { matchedCount } = await holdings.updateOne(
        { _id: { $eq: keyOf(name, token) }, owner: { $eq: owner } },
        { $inc: { beat: 1 } },
      );
      return matchedCount === 1 && (await read(name))?.token === token;
    },

    async release({ name, owner, token }) {
      await holdings.updateOne({ _id: { $eq: keyOf(name, token) }, owner: { $eq: owner } }, { $set: { owner: null } });
    },

    async list(prefix) {
      const from = encodeURIComponent(prefix);
      const found = await holdings
        .find({ _id: { $gte: from, $lt: `${from}${BEHIND}` } }, { sort: { _id: 1 } })
        .toArray();
      // The last of each name is the newest.
      return [...new Map(found.map(asRecord).map((record) => [record.name, record])).values()];
    },

    async remove(seen) {
      if (!isSame(await read(seen.name), seen)) return;
      await holdings.deleteMany({ _id: { ...keysOf(seen.name), $lte: keyOf(seen.name, seen.token) } });
    },
  };
}

function asRecord({ _id, owner, beat }: Holding): LeaseRecord {
  return { name: nameIn(_id), owner, token: Number(_id.slice(-TOKEN_DIGITS)), beat };
}

function isSame(a: LeaseRecord | null, b: LeaseRecord | null): boolean {
  return a?.owner === b?.owner && a?.token === b?.token && a?.beat === b?.beat;
}

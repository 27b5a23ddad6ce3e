/**
 * Claims as MongoDB documents, for any number of processes, one document per holding. Claiming an item is one insert
 * under two unique keys: `_id` ends in the number of the holding, so that of two processes claiming the same item one
 * fails; `slot` is one of the lane's slots, so that of two claiming the last slot one fails. A held document can only
 * be released; the next holding is a new document, and the older ones are removed afterwards.
 */
import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { type Claim, type Claims, NOTHING_NOTED } from '../../claims.ts';
import { asReadModelError, isDuplicateKey, isIndexMissing } from '../mongoErrors.ts';
import { CLAIM_INDEXES, SLOT_INDEX } from '../mongoIndexes.ts';
import { addIndexes } from '../mongoPrepare.ts';
import {
  asClaim,
  type ClaimRecord,
  freePlace,
  idOf,
  itemKey,
  kindKeys,
  newestOf,
  newestOfEach,
  noPlace,
  notesOf,
  placeOf,
  placesTaken,
} from './mongoClaimRecords.ts';

type TakeRequest = Parameters<Claims['take']>[0];

/** Each attempt but the last lost the item, or a slot of its lane, to a concurrent claim. */
const MAX_ATTEMPTS = 50;
/** While nothing is held, every so many calls of `holders` look whether the indexes are there. */
const CHECK_EVERY = 10;
const OF_HOLDING = { projection: { holder: 1, lane: 1, slot: 1, insertion: 1 } } as const;

/**
 * The connection's read and write concerns apply, as for leases: a failover may undo what a majority has not seen.
 * @throws ReadModelError READ_MODELS_UNAVAILABLE, as every call does
 */
export async function openMongoClaims({ db }: { readonly db: Db }): Promise<Claims> {
  const records = db.collection<ClaimRecord>('claims');
  const own = createInsertions(records);
  /** Calls of `holders` since it was last made sure that the indexes are there. */
  let unchecked = CHECK_EVERY;
  const createIndexes = () => addIndexes(records, CLAIM_INDEXES);
  const ofItems = (keys: readonly string[]) => records.find({ item: { $in: [...keys] } }).toArray();
  const inHand = (...names: readonly string[]) => records.find({ slot: placesTaken(...names) }, OF_HOLDING).toArray();

  /**
   * Null: another process was faster with this item or slot, so it must be checked again. `last`: the newest claim of
   * the same opening.
   */
  async function insert(
    { item, holder }: TakeRequest,
    last: Claim | null,
    number: number,
    slot: string,
  ): Promise<Claim | null> {
    const key = itemKey(item.kind, item.itemId);
    const claim: Claim = { ...(last ?? { ...NOTHING_NOTED, vanished: false }), ...item, number, holder };
    return own.insert({ ...claim, _id: idOf(claim), item: key, slot }, async (record) => {
      const others = (await ofItems([key])).filter(({ _id }) => _id !== record._id);
      // Claimed after our read, under another number. Both processes may then see each other and give way; both never
      // hold it.
      if (others.some((other) => isHeld(other) || (other.opening === item.opening && other.number > number)))
        return null;
      // Removed after our read, or claimed and removed.
      if (last && !others.some((other) => other.opening === last.opening && other.number === last.number)) return null;
      // Leftovers do no harm; the next holding removes them.
      if (others.length > 0)
        await records.deleteMany({ _id: { $in: others.map(({ _id }) => _id) }, holder: null }).catch(() => undefined);
      return claim;
    });
  }

  async function tryTake(request: TakeRequest): Promise<Claim | 'taken' | 'lane_full' | null> {
    const { item, seen, laneLimit } = request;
    const [before, taken] = await Promise.all([
      ofItems([itemKey(item.kind, item.itemId)]),
      inHand(item.kind, item.lane),
    ]);
    const newest = newestOf(before);
    const last = newest?.opening === item.opening ? newest : null;
    const known = seen?.opening === item.opening ? seen : null;
    // A document that is not held does not change, so comparing the number is enough.
    if (isHeld(newest) || isHeld(known) || last?.number !== known?.number) return 'taken';
    const slot = freePlace(item, laneLimit, taken);
    if (slot === null) return 'lane_full';
    const number = Math.max(0, ...before.map((record) => (record.opening === item.opening ? record.number : 0))) + 1;
    return insert(request, last && asClaim(last), number, slot);
  }

  /**
   * What was seen and the slot after the known ones are usually right: the insert tells. Not for a single slot, which
   * may be one of several.
   */
  async function tryTakeUnread(request: TakeRequest): Promise<Claim | null> {
    const { item, seen, laneLimit, running } = request;
    if (running === undefined || running >= laneLimit || laneLimit === 1 || isHeld(seen)) return null;
    const last = seen?.opening === item.opening ? seen : null;
    return insert(request, last, (last?.number ?? 0) + 1, placeOf(item, running));
  }

  async function take(request: TakeRequest): Promise<Claim | 'taken' | 'lane_full'> {
    const taken = await tryTakeUnread(request);
    if (taken) return taken;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const outcome = await tryTake(request);
      if (outcome !== null) return outcome;
    }
    return 'taken';
  }

  /** Only while held: then the only other writer is a process that finds the holder gone. */
  async function change(claim: Claim, changes: Partial<ClaimRecord>): Promise<boolean> {
    if (claim.holder === null) return false;
    const { matchedCount } = await records.updateOne(
      { _id: { $eq: idOf(claim) }, holder: { $eq: claim.holder } },
      { $set: { ...changes, vanished: false } },
    );
    if (matchedCount === 0) unchecked = CHECK_EVERY;
    return matchedCount === 1;
  }

  async function letGo(claim: Claim, changes: Partial<ClaimRecord>): Promise<boolean> {
    const wasHeld = await change(claim, { ...changes, holder: null, slot: noPlace(claim) });
    own.forget(claim);
    return wasHeld;
  }

  async function vacate(holder: string): Promise<number> {
    let vacated = 0;
    for (const record of await records.find({ holder: { $eq: holder } }).toArray()) {
      const free = { $set: { holder: null, vanished: true, slot: noPlace(record) } };
      vacated += (await records.updateOne({ _id: record._id, holder: { $eq: holder } }, free)).matchedCount;
      own.forget(record);
    }
    return vacated;
  }

  /** Null: a recreated database lacks the index. */
  async function held(): Promise<readonly ClaimRecord[] | null> {
    try {
      return await records.find({ slot: placesTaken() }, { ...OF_HOLDING, hint: SLOT_INDEX }).toArray();
    } catch (error) {
      if (!isIndexMissing(error)) throw error;
      return null;
    }
  }

  async function holders(): Promise<readonly string[]> {
    const known = await held();
    unchecked += 1;
    // Where there is no collection yet, no index is missed. If two documents share a slot by then, the indexes follow
    // once those are done.
    if (known === null || (known.length === 0 && unchecked >= CHECK_EVERY)) {
      unchecked = 0;
      await createIndexes().catch(() => undefined);
    }
    const records = await own.withoutStrays(known ?? (await inHand()));
    return [...new Set(records.flatMap(({ holder }) => holder ?? []))];
  }

  await call(createIndexes);
  return {
    read: (kind, itemIds) =>
      call(async () => {
        return itemIds.length === 0 ? [] : newestOfEach(await ofItems(itemIds.map((itemId) => itemKey(kind, itemId))));
      }),
    take: (request) => call(() => take(request)),
    note: (claim, notes) => call(() => change(claim, notesOf(notes))),
    letGo: (claim, notes) => call(() => letGo(claim, notesOf(notes))),
    running: (kind) =>
      call(async () => {
        const lanes = new Map<string, number>();
        for (const { lane } of await inHand(kind)) lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
        return lanes;
      }),
    holders: () => call(holders),
    vacate: (holder) => call(() => vacate(holder)),
    forgetSettled: (kind, upTo) =>
      call(
        async () =>
          (await records.deleteMany({ kind: { $eq: kind }, settledAt: { $gt: '', $lte: upTo }, holder: null }))
            .deletedCount,
      ),
    list: (query) => call(() => listPage(records, query)),
    remove: (kind, itemIds) =>
      call(async () => {
        if (itemIds.length > 0)
          await records.deleteMany({ item: { $in: itemIds.map((itemId) => itemKey(kind, itemId)) }, holder: null });
      }),
  };
}

async function listPage(
  records: Collection<ClaimRecord>,
  { kind, after, limit }: Parameters<Claims['list']>[0],
): Promise<readonly Claim[]> {
  const found: ClaimRecord[] = [];
  let items = 0;
  for await (const record of records.find({ item: kindKeys(kind, after) }, { sort: { item: 1 } })) {
    if (record.item !== found.at(-1)?.item) items += 1;
    if (items > limit) break;
    found.push(record);
  }
  return newestOfEach(found);
}

const isHeld = (claim: Claim | null): boolean => typeof claim?.holder === 'string';

async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asReadModelError(error);
  }
}

/**
 * The documents inserted by this process. One whose insert failed, or was not confirmed, may still exist or appear
 * later: it belongs to no holding, and would block an item and a slot for as long as this process lives.
 */
function createInsertions(records: Collection<ClaimRecord>) {
  const process = randomUUID();
  let count = 0;
  /** By id, from before the insert until release. */
  const known = new Map<string, string>();

  return {
    /** Null if either key is taken, or `confirm` returns null. */
    async insert(
      record: Omit<ClaimRecord, 'insertion'>,
      confirm: (record: ClaimRecord) => Promise<Claim | null>,
    ): Promise<Claim | null> {
      count += 1;
      const insertion = `${process}/${count}`;
      const inserted: ClaimRecord = { ...record, insertion };
      let claim: Claim | null = null;
      known.set(record._id, insertion);
      try {
        await records.insertOne(inserted);
        claim = await confirm(inserted);
        if (!claim) await records.deleteOne({ _id: record._id, insertion });
        return claim;
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      } finally {
        if (!claim && known.get(record._id) === insertion) known.delete(record._id);
      }
    },
    forget: (claim: Claim): void => void known.delete(idOf(claim)),
    /**
     * Removes this process's documents that it does not know of. One that was released since it was read has left its
     * slot, and stays.
     */
    async withoutStrays<Held extends Pick<ClaimRecord, '_id' | 'insertion' | 'slot'>>(
      held: readonly Held[],
    ): Promise<readonly Held[]> {
      const isStray = ({ _id, insertion }: Held) => insertion.startsWith(`${process}/`) && known.get(_id) !== insertion;
      const strays = held.filter(isStray);
      for (const { _id, insertion, slot } of strays) await records.deleteOne({ _id, insertion, slot });
      return held.filter((record) => !strays.includes(record));
    },
  };
}

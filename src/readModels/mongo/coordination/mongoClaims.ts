/**
 * Claims as documents of MongoDB, for any number of processes, one document for each holding. Taking an item is one insert under two unique keys:
 * `_id` ends in the number of the holding, so that of two who take the same item one fails; `slot` is one of the lane's places, so that of two who
 * take the last place one fails. What is in hand only ever becomes free; the next holding is another document, and the older ones are removed after.
 */
import { randomUUID } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { type Claim, type Claims, NOTHING_NOTED } from '../../claims.ts';
import { asReadModelError, isDuplicateKey } from '../mongoErrors.ts';
import { CLAIM_INDEXES } from '../mongoIndexes.ts';
import { addIndexes } from '../mongoPrepare.ts';
import { asClaim, type ClaimRecord, freePlace, idOf, itemKey, kindKeys, newestOf, newestOfEach, noPlace, notesOf, placesTaken } from './mongoClaimRecords.ts';

type TakeRequest = Parameters<Claims['take']>[0];

/** Each but the last was lost to somebody who took the item, or a place of its lane, in the same moment. */
const MAX_ATTEMPTS = 50;
const OF_HOLDING = { projection: { holder: 1, lane: 1, slot: 1, insertion: 1 } } as const;

/**
 * The connection's concerns apply, as for leases: what a majority has not seen may be undone by a failover.
 * @throws ReadModelError READ_MODELS_UNAVAILABLE, as every call does
 */
export async function openMongoClaims({ db }: { readonly db: Db }): Promise<Claims> {
  const records = db.collection<ClaimRecord>('claims');
  const own = createInsertions(records);
  const createIndexes = () => addIndexes(records, CLAIM_INDEXES);
  const ofItems = (keys: readonly string[]) => records.find({ item: { $in: [...keys] } }).toArray();
  const inHand = (...names: readonly string[]) => records.find({ slot: placesTaken(...names) }, OF_HOLDING).toArray();

  /** Null: somebody was faster with this item, or with this place, so it has to be looked at again. */
  async function tryTake({ item, seen, holder, laneLimit }: TakeRequest): Promise<Claim | 'taken' | 'lane_full' | null> {
    const key = itemKey(item.kind, item.itemId);
    const before = await ofItems([key]);
    const newest = newestOf(before);
    const last = newest?.opening === item.opening ? newest : null;
    const known = seen?.opening === item.opening ? seen : null;
    // What nobody holds does not change: the number says enough.
    if (isHeld(newest) || isHeld(known) || last?.number !== known?.number) return 'taken';
    const slot = freePlace(item, laneLimit, await inHand(item.kind, item.lane));
    if (slot === null) return 'lane_full';
    const number = Math.max(0, ...before.map((record) => (record.opening === item.opening ? record.number : 0))) + 1;
    const claim: Claim = { ...(last ? asClaim(last) : { ...NOTHING_NOTED, vanished: false }), ...item, number, holder };
    return own.insert({ ...claim, _id: idOf(claim), item: key, slot }, async (record) => {
      const others = (await ofItems([key])).filter(({ _id }) => _id !== record._id);
      // Somebody took it after it had been looked at, under another number. Then both may find each other and give way; both never hold it.
      if (others.some((other) => isHeld(other) || (other.opening === item.opening && other.number > number))) return null;
      // What stays behind does no harm, and goes with the next holding.
      if (others.length > 0) await records.deleteMany({ _id: { $in: others.map(({ _id }) => _id) }, holder: null }).catch(() => undefined);
      return claim;
    });
  }

  async function take(request: TakeRequest): Promise<Claim | 'taken' | 'lane_full'> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const outcome = await tryTake(request);
      if (outcome !== null) return outcome;
    }
    return 'taken';
  }

  /** Only while it is held: then nobody else writes to it but who finds its holder gone. */
  async function change(claim: Claim, changes: Partial<ClaimRecord>): Promise<boolean> {
    if (claim.holder === null) return false;
    const { matchedCount } = await records.updateOne({ _id: { $eq: idOf(claim) }, holder: { $eq: claim.holder } }, { $set: { ...changes, vanished: false } });
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

  async function holders(): Promise<readonly string[]> {
    const held = await own.withoutStrays(await inHand());
    // A database that was deleted comes back without them. Where two have the same place since, they come when those are done.
    await createIndexes().catch(() => undefined);
    return [...new Set(held.flatMap(({ holder }) => holder ?? []))];
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
      call(async () => (await records.deleteMany({ kind: { $eq: kind }, settledAt: { $gt: '', $lte: upTo }, holder: null })).deletedCount),
    list: (query) => call(() => listPage(records, query)),
    remove: (kind, itemIds) =>
      call(async () => {
        if (itemIds.length > 0) await records.deleteMany({ item: { $in: itemIds.map((itemId) => itemKey(kind, itemId)) }, holder: null });
      }),
  };
}

async function listPage(records: Collection<ClaimRecord>, { kind, after, limit }: Parameters<Claims['list']>[0]): Promise<readonly Claim[]> {
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
 * The documents that this process inserts. One whose insert failed, or was not seen to its end, may be there all the same, or come later: it is
 * nobody's, and would keep an item and a place for as long as this process lives.
 */
function createInsertions(records: Collection<ClaimRecord>) {
  const process = randomUUID();
  let count = 0;
  /** By id; from before the insert until it is given back. */
  const known = new Map<string, string>();

  return {
    /** Null when either of its keys is taken, or `confirm` says so. */
    async insert(record: Omit<ClaimRecord, 'insertion'>, confirm: (record: ClaimRecord) => Promise<Claim | null>): Promise<Claim | null> {
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
    /** Removes those of this process that it does not know of. */
    async withoutStrays<Held extends Pick<ClaimRecord, '_id' | 'insertion'>>(held: readonly Held[]): Promise<readonly Held[]> {
      const isStray = ({ _id, insertion }: Held) => insertion.startsWith(`${process}/`) && known.get(_id) !== insertion;
      const strays = held.filter(isStray);
      for (const { _id, insertion } of strays) await records.deleteOne({ _id, insertion });
      return held.filter((record) => !strays.includes(record));
    },
  };
}

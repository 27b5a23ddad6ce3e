/**
 * Claims and marks in the file of the embedded read models, in tables of their own: builds come and go without them. One process has the file, so
 * lanes are counted in memory; the row says durably that an item is in hand, and a process that finds such a row at its start knows that the one
 * before it did not end in order.
 */
import type Database from 'better-sqlite3';
import { type Claim, type Claimed, type Claims, type Marks, NOTHING_NOTED } from './claims.ts';

type ClaimRow = Omit<Claim, 'vanished'> & { readonly vanished: 0 | 1 };

/** Runs a call as long as the file is open. */
type Open = <T>(work: () => T) => Promise<T>;

const COLUMNS = 'kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished';
const OF_ITEMS = 'kind = ? AND itemId IN (SELECT value FROM json_each(?))';

export const CLAIM_SQL = {
  get: `SELECT ${COLUMNS} FROM claims WHERE kind = ? AND itemId = ?`,
  read: `SELECT ${COLUMNS} FROM claims WHERE ${OF_ITEMS}`,
  put: `INSERT INTO claims (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kind, itemId) DO UPDATE
    SET opening = excluded.opening, lane = excluded.lane, number = excluded.number, attempts = excluded.attempts, vanishings = excluded.vanishings,
    steps = excluded.steps, failure = excluded.failure, notBefore = excluded.notBefore, settledAt = excluded.settledAt, holder = excluded.holder,
    vanished = excluded.vanished`,
  update: `UPDATE claims SET number = ?, attempts = ?, vanishings = ?, steps = ?, failure = ?, notBefore = ?, settledAt = ?, holder = ?, vanished = ?
    WHERE kind = ? AND itemId = ?`,
  vacate: 'UPDATE claims SET holder = NULL, vanished = 1 WHERE holder = ?',
  vacateAll: 'UPDATE claims SET holder = NULL, vanished = 1 WHERE holder IS NOT NULL',
  forget: 'DELETE FROM claims WHERE kind = ? AND settledAt <= ? AND holder IS NULL',
  list: `SELECT ${COLUMNS} FROM claims WHERE kind = ? AND itemId > ? ORDER BY itemId LIMIT ?`,
  remove: `DELETE FROM claims WHERE ${OF_ITEMS} AND holder IS NULL`,
} as const;

export function createSqliteClaims(db: Database.Database, open: Open): Claims {
  const get = db.prepare<[string, string], ClaimRow>(CLAIM_SQL.get);
  const read = db.prepare<[string, string], ClaimRow>(CLAIM_SQL.read);
  const put = db.prepare(CLAIM_SQL.put);
  const update = db.prepare(CLAIM_SQL.update);
  const vacate = db.prepare<[string]>(CLAIM_SQL.vacate);
  const forget = db.prepare<[string, string]>(CLAIM_SQL.forget);
  const list = db.prepare<[string, string, number], ClaimRow>(CLAIM_SQL.list);
  const remove = db.prepare<[string, string]>(CLAIM_SQL.remove);
  const holdings = createHoldings();

  db.prepare(CLAIM_SQL.vacateAll).run();

  function begin({ kind, itemId, opening, lane }: Claimed, holder: string): Claim {
    put.run(kind, itemId, opening, lane, 1, 0, 0, 0, null, null, null, holder, 0);
    return asClaim({ kind, itemId, opening, lane, ...NOTHING_NOTED, number: 1, holder, vanished: 0 });
  }
  function change(before: Claim, changes: Partial<Claim>): Claim {
    const claim = { ...before, ...changes };
    const { kind, itemId, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished } = claim;
    update.run(number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished ? 1 : 0, kind, itemId);
    return claim;
  }

  return {
    read: (kind, itemIds) =>
      open(() => {
        const [only] = itemIds;
        const rows = itemIds.length === 1 && only !== undefined ? [get.get(kind, only)] : read.all(kind, JSON.stringify(itemIds));
        return rows.flatMap((row) => (row ? asClaim(row) : []));
      }),
    take: ({ item, seen, holder, laneLimit }) =>
      open(() => {
        const { kind, itemId, opening, lane } = item;
        if (holdings.of(kind, itemId)) return 'taken';
        const row = get.get(kind, itemId);
        const before = row?.opening === opening ? asClaim(row) : null;
        const known = seen?.opening === opening ? seen : null;
        // What nobody holds does not change: the number says enough.
        if (before?.number !== known?.number || typeof known?.holder === 'string') return 'taken';
        if (holdings.ofLane(kind, lane) >= laneLimit) return 'lane_full';
        const claim = before ? change(before, { number: before.number + 1, holder }) : begin(item, holder);
        holdings.add(claim);
        return claim;
      }),
    note: (claim, notes) =>
      open(() => {
        const held = holdings.same(claim);
        if (held) holdings.add(change(held, { ...notes, vanished: false }));
        return held !== null;
      }),
    letGo: (claim, notes) =>
      open(() => {
        const held = holdings.same(claim);
        if (!held) return false;
        change(held, { ...notes, vanished: false, holder: null });
        holdings.remove(held);
        return true;
      }),
    running: (kind) => open(() => holdings.lanes(kind)),
    holders: () => open(() => holdings.holders()),
    vacate: (holder) =>
      open(() => {
        const { changes } = vacate.run(holder);
        holdings.removeAllOf(holder);
        return changes;
      }),
    forgetSettled: (kind, upTo) => open(() => forget.run(kind, upTo).changes),
    list: ({ kind, after = '', limit }) => open(() => list.all(kind, after, limit).map(asClaim)),
    remove: (kind, itemIds) => open(() => void remove.run(kind, JSON.stringify(itemIds))),
  };
}

export function createSqliteMarks(db: Database.Database, open: Open): Marks {
  const read = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  const write = db.prepare<[string, string]>('INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value');
  const remove = db.prepare<[string]>('DELETE FROM marks WHERE name = ?');
  return {
    read: (name) => open(() => read.get(name) ?? null),
    write: (name, value) => open(() => void write.run(name, value)),
    remove: (name) => open(() => void remove.run(name)),
  };
}

/** Field by field: several times faster than a copy of what the driver made. */
function asClaim(row: ClaimRow): Claim {
  const { kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished } = row;
  return { kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished: vanished === 1 };
}

/** What this process has in hand, as its rows say. */
function createHoldings() {
  const byItem = new Map<string, Claim>();
  const running = new Map<string, Map<string, number>>();
  const key = (kind: string, itemId: string): string => `${kind}\0${itemId}`;

  function count({ kind, lane }: Claim, by: 1 | -1): void {
    const lanes = running.get(kind) ?? new Map<string, number>();
    const left = (lanes.get(lane) ?? 0) + by;
    if (left > 0) lanes.set(lane, left);
    else lanes.delete(lane);
    running.set(kind, lanes);
  }
  function remove(claim: Claim): void {
    if (byItem.delete(key(claim.kind, claim.itemId))) count(claim, -1);
  }

  return {
    of: (kind: string, itemId: string): Claim | null => byItem.get(key(kind, itemId)) ?? null,
    /** As it is now, if it still is this holding. */
    same({ kind, itemId, opening, number, holder }: Claim): Claim | null {
      const held = byItem.get(key(kind, itemId));
      return held?.opening === opening && held.number === number && held.holder === holder ? held : null;
    },
    add(claim: Claim): void {
      const item = key(claim.kind, claim.itemId);
      if (!byItem.has(item)) count(claim, 1);
      byItem.set(item, claim);
    },
    remove,
    removeAllOf: (holder: string): void => [...byItem.values()].filter((claim) => claim.holder === holder).forEach(remove),
    ofLane: (kind: string, lane: string): number => running.get(kind)?.get(lane) ?? 0,
    lanes: (kind: string): ReadonlyMap<string, number> => new Map(running.get(kind)),
    holders: (): readonly string[] => [...new Set([...byItem.values()].flatMap(({ holder }) => holder ?? []))],
  };
}

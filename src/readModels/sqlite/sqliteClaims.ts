/**
 * Claims and marks in the file of the embedded read models, in tables of their own that are independent of builds. One
 * process owns the file, so lanes are counted in memory; the row durably records that an item is held, and a process
 * that finds such a row at startup knows that its predecessor did not shut down cleanly.
 */
import type Database from 'better-sqlite3';
import { type Claim, type ClaimNotes, type Claims, type Marks, NOTHING_NOTED } from '../claims.ts';

/** A row as an array, which is cheaper to read than an object. */
type ClaimRow = readonly [
  ...[kind: string, itemId: string, opening: string, lane: string, number: number],
  ...[
    attempts: number,
    vanishings: number,
    steps: number,
    failure: string | null,
    notBefore: string | null,
    settledAt: string | null,
  ],
  ...[holder: string | null, vanished: 0 | 1],
];

/** Runs a call while the file is open. */
type Open = <T>(work: () => T) => Promise<T>;

type NoteName = keyof ClaimNotes;
const NOTES = Object.keys(NOTHING_NOTED) as readonly NoteName[];

const COLUMNS =
  'kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished';
const OF_ITEM = 'kind = ? AND itemId = ?';
const OF_ITEMS = 'kind = ? AND itemId IN (SELECT value FROM json_each(?))';

export const CLAIM_SQL = {
  get: `SELECT ${COLUMNS} FROM claims WHERE ${OF_ITEM}`,
  read: `SELECT ${COLUMNS} FROM claims WHERE ${OF_ITEMS}`,
  begin: `INSERT OR REPLACE INTO claims (${COLUMNS}) VALUES (?, ?, ?, ?, 1, 0, 0, 0, NULL, NULL, NULL, ?, 0)`,
  again: `UPDATE claims SET number = ?, holder = ? WHERE ${OF_ITEM}`,
  vacate: 'UPDATE claims SET holder = NULL, vanished = 1 WHERE holder = ?',
  vacateAll: 'UPDATE claims SET holder = NULL, vanished = 1 WHERE holder IS NOT NULL',
  forget: 'DELETE FROM claims WHERE kind = ? AND settledAt <= ? AND holder IS NULL',
  list: `SELECT ${COLUMNS} FROM claims WHERE kind = ? AND itemId > ? ORDER BY itemId LIMIT ?`,
  remove: `DELETE FROM claims WHERE ${OF_ITEMS} AND holder IS NULL`,
} as const;

/** SQL that writes these notes; `isOver`: and clears the holder. */
export function noteSql(notes: readonly NoteName[], isOver: boolean): string {
  return `UPDATE claims SET ${notes.map((name) => `${name} = ?, `).join('')}${isOver ? 'holder = NULL, ' : ''}vanished = 0 WHERE ${OF_ITEM}`;
}

/** `openWrite`: as `open`, for calls that write. */
export function createSqliteClaims(db: Database.Database, open: Open, openWrite: Open): Claims {
  const get = db.prepare<[string, string], ClaimRow>(CLAIM_SQL.get).raw();
  const read = db.prepare<[string, string], ClaimRow>(CLAIM_SQL.read).raw();
  const begin = db.prepare<[string, string, string, string, string]>(CLAIM_SQL.begin);
  const again = db.prepare<[number, string, string, string]>(CLAIM_SQL.again);
  const vacate = db.prepare<[string]>(CLAIM_SQL.vacate);
  const forget = db.prepare<[string, string]>(CLAIM_SQL.forget);
  const list = db.prepare<[string, string, number], ClaimRow>(CLAIM_SQL.list).raw();
  const remove = db.prepare<[string, string]>(CLAIM_SQL.remove);
  const holdings = createHoldings();
  const change = createNoteWriter(db);

  db.prepare(CLAIM_SQL.vacateAll).run();

  return {
    read: (kind, itemIds) =>
      open(() => {
        const [only] = itemIds;
        const rows =
          itemIds.length === 1 && only !== undefined ? [get.get(kind, only)] : read.all(kind, JSON.stringify(itemIds));
        return rows.flatMap((row) => (row ? asClaim(row) : []));
      }),
    take: ({ item: { kind, itemId, opening, lane }, seen, holder, laneLimit }) =>
      openWrite(() => {
        if (holdings.has(kind, itemId)) return 'taken';
        const row = get.get(kind, itemId);
        const last = row && row[2] === opening ? row : null;
        const known = seen?.opening === opening ? seen : null;
        // A row that is not held does not change, so comparing the number is enough.
        if (last?.[4] !== known?.number || typeof known?.holder === 'string') return 'taken';
        if (holdings.ofLane(kind, lane) >= laneLimit) return 'lane_full';
        const number = (last?.[4] ?? 0) + 1;
        if (last) again.run(number, holder, kind, itemId);
        else begin.run(kind, itemId, opening, lane, holder);
        const claim = last
          ? asClaim(last, number, holder)
          : { kind, itemId, opening, lane, ...NOTHING_NOTED, number, holder, vanished: false };
        holdings.add(claim);
        return claim;
      }),
    note: (claim, notes) =>
      openWrite(() => {
        const isHeld = holdings.isSame(claim);
        if (isHeld) change(claim, notes, false);
        return isHeld;
      }),
    letGo: (claim, notes) =>
      openWrite(() => {
        const isHeld = holdings.isSame(claim);
        if (isHeld) change(claim, notes, true);
        if (isHeld) holdings.remove(claim);
        return isHeld;
      }),
    running: (kind) => open(() => holdings.lanes(kind)),
    holders: () => open(() => holdings.holders()),
    vacate: (holder) =>
      openWrite(() => {
        const { changes } = vacate.run(holder);
        holdings.removeAllOf(holder);
        return changes;
      }),
    forgetSettled: (kind, upTo) => openWrite(() => forget.run(kind, upTo).changes),
    list: ({ kind, after = '', limit }) => open(() => list.all(kind, after, limit).map((row) => asClaim(row))),
    remove: (kind, itemIds) => openWrite(() => void remove.run(kind, JSON.stringify(itemIds))),
  };
}

/** One prepared statement for each set of notes in use. */
function createNoteWriter(db: Database.Database) {
  const statements = new Map<number, Database.Statement<unknown[]>>();
  return (claim: Claim, notes: Partial<ClaimNotes>, isOver: boolean): void => {
    const values: unknown[] = [];
    // One bit per note, and one for the end.
    let key = isOver ? 1 : 0;
    for (const name of NOTES) {
      const value = notes[name];
      key *= 2;
      if (value === undefined) continue;
      key += 1;
      values.push(value);
    }
    let statement = statements.get(key);
    if (!statement) {
      const named = NOTES.filter((name) => notes[name] !== undefined);
      statement = db.prepare<unknown[]>(noteSql(named, isOver));
      statements.set(key, statement);
    }
    statement.run(...values, claim.kind, claim.itemId);
  };
}

export function createSqliteMarks(db: Database.Database, open: Open, openWrite: Open): Marks {
  const read = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  const write = db.prepare<[string, string]>(
    'INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const writeFirst = db.prepare<[string, string]>('INSERT OR IGNORE INTO marks (name, value) VALUES (?, ?)');
  const remove = db.prepare<[string]>('DELETE FROM marks WHERE name = ?');
  return {
    read: (name) => open(() => read.get(name) ?? null),
    write: (name, value) => openWrite(() => void write.run(name, value)),
    writeFirst: (name, value) =>
      openWrite(() => {
        writeFirst.run(name, value);
        return read.get(name) ?? value;
      }),
    remove: (name) => openWrite(() => void remove.run(name)),
  };
}

function asClaim(row: ClaimRow, number = row[4], holder = row[11]): Claim {
  return {
    kind: row[0],
    itemId: row[1],
    opening: row[2],
    lane: row[3],
    number,
    attempts: row[5],
    vanishings: row[6],
    steps: row[7],
    failure: row[8],
    notBefore: row[9],
    settledAt: row[10],
    holder,
    vanished: row[12] === 1,
  };
}

/** This process's holdings; the notes are only in the rows. */
function createHoldings() {
  const byItem = new Map<string, Claim>();
  const running = new Map<string, Map<string, number>>();
  const key = (kind: string, itemId: string): string => `${kind}\0${itemId}`;

  function count({ kind, lane }: Claim, by: 1 | -1): void {
    const lanes = running.get(kind) ?? new Map<string, number>();
    running.set(kind, lanes);
    const left = (lanes.get(lane) ?? 0) + by;
    if (left > 0) lanes.set(lane, left);
    else lanes.delete(lane);
  }
  function remove(claim: Claim): void {
    if (byItem.delete(key(claim.kind, claim.itemId))) count(claim, -1);
  }

  return {
    has: (kind: string, itemId: string): boolean => byItem.has(key(kind, itemId)),
    isSame({ kind, itemId, opening, number, holder }: Claim): boolean {
      const held = byItem.get(key(kind, itemId));
      return held !== undefined && held.opening === opening && held.number === number && held.holder === holder;
    },
    add(claim: Claim): void {
      byItem.set(key(claim.kind, claim.itemId), claim);
      count(claim, 1);
    },
    remove,
    removeAllOf: (holder: string): void =>
      [...byItem.values()].filter((claim) => claim.holder === holder).forEach(remove),
    ofLane: (kind: string, lane: string): number => running.get(kind)?.get(lane) ?? 0,
    lanes: (kind: string): ReadonlyMap<string, number> => new Map(running.get(kind)),
    holders: (): readonly string[] => [...new Set([...byItem.values()].flatMap(({ holder }) => holder ?? []))],
  };
}

/**
 * Taking an item of work and giving it back, against the bare statements doing the same to the same table, with 100,000
 * items in it.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Claim, type Claims, NOTHING_NOTED } from '../../src/readModels/claims.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { compare, type Figure, milliseconds, percentile, rateRow, timed } from '../measure.ts';

const ITEMS = 100_000;
/** Taken and given back in one round. */
const TURNS = 10_000;
const KIND = 'audits';
const OPENING = '1'.padStart(20, '0');

/** Any order that is not that of the table. */
const itemOf = (n: number): string => `item-${(n * 7919) % ITEMS}`;

const NOTES = { attempts: 1, steps: 3, failure: 'The site did not answer.' };

/** What is asked for in turn number `n`; each item comes once in as many turns as there are items. */
function requestOf(n: number): Parameters<Claims['take']>[0] {
  const itemId = itemOf(n);
  const item = { kind: KIND, itemId, opening: OPENING, lane: `user-${itemId.slice(-2)}` };
  const before = Math.floor(n / ITEMS);
  const seen =
    before > 0 ? { ...item, ...NOTHING_NOTED, ...NOTES, number: before, holder: null, vanished: false } : null;
  return { item, seen, holder: 'bench', laneLimit: 2 };
}

type Request = ReturnType<typeof requestOf>;

async function turn(claims: Claims, request: Request): Promise<void> {
  const claim = await claims.take(request);
  if (typeof claim === 'string') throw new Error(`${request.item.itemId} was not to be had: ${claim}`);
  if (!(await claims.letGo(claim, NOTES))) throw new Error(`${request.item.itemId} was lost.`);
}

const COLUMNS =
  'kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished';

/** The same table and indexes, the same reads and writes. */
function openBare(file: string): { readonly turn: (request: Request) => void; readonly close: () => void } {
  const db = new Database(file);
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('wal_autocheckpoint = 4000');
  db.pragma('secure_delete = ON');
  db.exec(`CREATE TABLE claims (kind TEXT NOT NULL, itemId TEXT NOT NULL, opening TEXT NOT NULL, lane TEXT NOT NULL, number INTEGER NOT NULL,
      attempts INTEGER NOT NULL, vanishings INTEGER NOT NULL, steps INTEGER NOT NULL, failure TEXT, notBefore TEXT, settledAt TEXT, holder TEXT,
      vanished INTEGER NOT NULL, PRIMARY KEY (kind, itemId)) WITHOUT ROWID;
    CREATE INDEX held ON claims (holder) WHERE holder IS NOT NULL;
    CREATE INDEX settled ON claims (kind, settledAt) WHERE settledAt IS NOT NULL`);
  const get = db.prepare<[string, string], Claim>(`SELECT ${COLUMNS} FROM claims WHERE kind = ? AND itemId = ?`);
  const insert = db.prepare(`INSERT INTO claims (${COLUMNS}) VALUES (?, ?, ?, ?, 1, 0, 0, 0, NULL, NULL, NULL, ?, 0)`);
  const take = db.prepare('UPDATE claims SET number = number + 1, holder = ? WHERE kind = ? AND itemId = ?');
  const letGo = db.prepare(
    'UPDATE claims SET attempts = ?, steps = ?, failure = ?, holder = NULL, vanished = 0 WHERE kind = ? AND itemId = ?',
  );
  return {
    turn: ({ item: { kind, itemId, opening, lane }, holder }) => {
      if (get.get(kind, itemId)) take.run(holder, kind, itemId);
      else insert.run(kind, itemId, opening, lane, holder);
      letGo.run(NOTES.attempts, NOTES.steps, NOTES.failure, kind, itemId);
    },
    close: () => db.close(),
  };
}

export const claims: Figure = {
  name: 'claims',
  async measure({ rounds, dir, say }) {
    const readModels = openSqliteReadModels({ file: join(dir, 'readModels.db') });
    const bare = openBare(join(dir, 'bare.db'));
    say(`filling ${ITEMS} items`);
    for (let n = 0; n < ITEMS; n += 1) {
      await turn(readModels.claims, requestOf(n));
      bare.turn(requestOf(n));
    }
    say('measuring');
    const took: number[] = [];
    const bareTook: number[] = [];
    const rate = async (each: number[], one: (request: Request) => Promise<void> | void): Promise<number> => {
      const requests = Array.from({ length: TURNS }, (_, n) => requestOf(ITEMS + each.length + n));
      const ms = await timed(async () => {
        for (const request of requests) each.push(await timed(() => one(request)));
      });
      return (TURNS * 1000) / ms;
    };
    const compared = await compare(
      rounds,
      () => rate(took, (request) => turn(readModels.claims, request)),
      () => rate(bareTook, bare.turn),
    );
    await readModels.close();
    bare.close();
    const p99 = percentile(took, 99);
    return [
      rateRow(
        `claims on SQLite: take and give back, ${ITEMS.toLocaleString('en-US')} items, vs bare statements`,
        compared,
        0.8,
      ),
      {
        what: 'claims on SQLite: the same, p99',
        ours: milliseconds(p99),
        limit: milliseconds(percentile(bareTook, 99)),
        ratio: null,
        goal: '< 10 ms',
        met: p99 < 10,
      },
    ];
  },
};

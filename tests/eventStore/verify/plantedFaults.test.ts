/**
 * Damage to the log of a used installation, done outside the product: each kind is found, at its place; the product's
 * own erasures are no damage.
 */

import { generateKeyPairSync } from 'node:crypto';
import type Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { accountStream } from '../../../src/domain/account/events.ts';
import { jobStream } from '../../../src/domain/job/events.ts';
import { planStream } from '../../../src/domain/plan/events.ts';
import { reportStream } from '../../../src/domain/report/events.ts';
import { hashOf } from '../../../src/eventStore/chain/eventHash.ts';
import { checkBackup } from '../../../src/eventStore/sqlite/sqliteBackup.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/eventStore/verify/checkpointFile.ts';
import type { Sealed } from '../../../src/eventStore/verify/seals.ts';
import { ownedOf } from '../../given/leaver.ts';
import { type LivedIn, livedIn } from '../../given/product/livedIn.ts';
import { type LogFolder, logFolder, verified } from '../../given/stores/logFiles.ts';
import { dailyLook } from '../../given/work/verifying.ts';
import { startTestSite } from '../../servers/testSite.ts';

const PAGES = {
  '/': '<!doctype html><html lang="en"><title>A home page with a title</title><h1>Home</h1><p>Text.</p>',
};
const { privateKey: key } = generateKeyPairSync('ed25519');

let folder: LogFolder;
let past: LivedIn;
/** Of the log before it was damaged. */
let sealed: Sealed;

/** The tables as a person with a database tool sees them; `at`: the position of an event of a stream. */
type Tables = {
  readonly db: Database.Database;
  readonly at: (stream: string, revision: number) => number;
  readonly end: (stream: string) => number;
  readonly change: (position: number, column: 'data' | 'metadata', change: (text: string) => string) => void;
};

function tablesOf(db: Database.Database): Tables {
  const at = (stream: string, revision: number): number =>
    db
      .prepare<[string, number], number>('SELECT position FROM events WHERE stream = ? AND revision = ?')
      .pluck()
      .get(stream, revision) ?? Number.NaN;
  return {
    db,
    at,
    end: (stream) =>
      db.prepare<[string], number>('SELECT max(revision) FROM events WHERE stream = ?').pluck().get(stream) ??
      Number.NaN,
    change(position, column, change) {
      const text =
        db.prepare<[number], string>(`SELECT ${column} FROM events WHERE position = ?`).pluck().get(position) ?? '';
      expect(change(text)).not.toBe(text);
      db.prepare(`UPDATE events SET ${column} = ? WHERE position = ?`).run(change(text), position);
    },
  };
}

/** Consistent except for the damage, as left by somebody who knows how the hashes are computed. */
function chainAnew({ db }: Tables, stream: string): void {
  let previousHash: string | undefined;
  const rows = db
    .prepare<[string], { position: number; id: string; type: string; data: string; metadata: string }>(
      'SELECT * FROM events WHERE stream = ? ORDER BY revision',
    )
    .all(stream);
  for (const { position, id, type, data, metadata: text } of rows) {
    const { previousHash: _, ...rest } = JSON.parse(text);
    const metadata = previousHash === undefined ? rest : { ...rest, previousHash };
    db.prepare('UPDATE events SET metadata = ? WHERE position = ?').run(JSON.stringify(metadata), position);
    previousHash = hashOf({ id, type, stream, data: JSON.parse(data), metadata });
  }
}

function swap(db: Database.Database, one: number, other: number, columns: string): void {
  const read = (position: number) =>
    db.prepare(`SELECT ${columns} FROM events WHERE position = ?`).get(position) as Record<string, unknown>;
  const [first, second] = [read(one), read(other)];
  const set = Object.keys(first).map((name) => `${name} = @${name}`);
  for (const [position, row] of [
    [one, second],
    [other, first],
  ] as const)
    db.prepare(`UPDATE events SET ${set} WHERE position = @at`).run({ ...row, at: position });
}

const CONTENT = 'id_key, type, id, metadata, data';
const job = () => jobStream(past.jobs.done);
const bill = () => `billing-${past.ann}`;

type Damage = {
  readonly what: string;
  readonly does: (tables: Tables) => void;
  /** The position of a fault that has one. */
  readonly place: (tables: Tables) => number;
  readonly check: string;
  /** Found by a checkpoint only. */
  readonly needsCheckpoint?: true;
};

const DAMAGE: readonly Damage[] = [
  {
    what: 'a byte of the data changed',
    check: 'chain',
    place: ({ at }) => at(job(), 0),
    does: ({ at, change }) => change(at(job(), 0), 'data', (text) => text.replace('http://', 'https://')),
  },
  {
    what: 'an amount of the bill changed',
    check: 'chain',
    place: ({ at }) => at(bill(), 0),
    does: ({ at, change }) => change(at(bill(), 0), 'data', (text) => text.replace(/20\d\d-/, '1999-')),
  },
  {
    what: 'an event removed',
    check: 'order',
    place: ({ at }) => at(job(), 3),
    does: ({ db, at }) => db.prepare('DELETE FROM events WHERE position = ?').run(at(job(), 2)),
  },
  {
    what: 'an event removed and the others numbered anew',
    check: 'chain',
    place: ({ at }) => at(job(), 1),
    does: ({ db, at }) => {
      db.prepare('DELETE FROM events WHERE position = ?').run(at(job(), 2));
      db.prepare('UPDATE events SET revision = revision - 1 WHERE stream = ? AND revision > 2').run(job());
    },
  },
  {
    what: 'the first events of a stream removed',
    check: 'chain',
    place: ({ at }) => at(job(), 2),
    does: ({ db }) => db.prepare('DELETE FROM events WHERE stream = ? AND revision < 2').run(job()),
  },
  {
    what: 'the first events removed and the others numbered anew',
    check: 'chain',
    place: ({ at }) => at(job(), 2),
    does: ({ db }) => {
      db.prepare('DELETE FROM events WHERE stream = ? AND revision < 2').run(job());
      db.prepare('UPDATE events SET revision = revision - 2 WHERE stream = ?').run(job());
    },
  },
  {
    what: 'two events of a stream swapped',
    check: 'chain',
    place: ({ at }) => at(job(), 2),
    does: ({ db, at }) => swap(db, at(job(), 2), at(job(), 3), CONTENT),
  },
  {
    what: 'two events swapped with their revisions',
    check: 'order',
    place: ({ at }) => at(job(), 2),
    does: ({ db, at }) => swap(db, at(job(), 2), at(job(), 3), `revision, ${CONTENT}`),
  },
  {
    what: 'an event forged at the end of a stream',
    check: 'chain',
    place: ({ db }) => db.prepare<[], number>('SELECT max(position) + 1 FROM events').pluck().get() ?? 0,
    does: ({ db, at, end }) => {
      db.prepare(
        `INSERT INTO events SELECT (SELECT max(position) + 1 FROM events), stream_key, ${end(bill()) + 1}, id_key + 1, stream, type, replace(id, substr(id, 1, 4), 'f0f0'), json_remove(metadata, '$.previousHash'), data FROM events WHERE position = ?`,
      ).run(at(bill(), end(bill())));
    },
  },
  {
    what: 'a stream renamed',
    check: 'chain',
    place: ({ at }) => at(job(), 0),
    does: ({ db }) =>
      db.prepare("UPDATE events SET stream = 'job-00000000-0000-4000-8000-00000000dead' WHERE stream = ?").run(job()),
  },
  {
    what: 'a stream of one event renamed',
    check: 'references',
    place: ({ at }) => at(jobStream(past.jobs.waiting), 0),
    does: ({ db, at }) =>
      db
        .prepare("UPDATE events SET stream = 'job-00000000-0000-4000-8000-00000000dead' WHERE position = ?")
        .run(at(jobStream(past.jobs.waiting), 0)),
  },
  {
    what: 'the time of an event changed',
    check: 'chain',
    place: ({ at }) => at(job(), 2),
    does: ({ at, change }) => change(at(job(), 2), 'metadata', (text) => text.replace('"at":"2026-', '"at":"2025-')),
  },
  {
    what: 'who did it changed',
    check: 'chain',
    place: ({ at }) => at(job(), 0),
    does: ({ at, change }) =>
      change(at(job(), 0), 'metadata', (text) => text.replace('"kind":"user"', '"kind":"admin"')),
  },
  {
    what: 'what led to it changed',
    check: 'chain',
    place: ({ at }) => at(job(), 1),
    does: ({ at, change }) =>
      change(at(job(), 1), 'metadata', (text) => text.replace(/"causationId":"..../, '"causationId":"aaaa')),
  },
  {
    what: 'the hash of the event before it changed',
    check: 'chain',
    place: ({ at }) => at(job(), 1),
    does: ({ at, change }) =>
      change(at(job(), 2), 'metadata', (text) => text.replace(/"previousHash":"...../, '"previousHash":"aaaaa')),
  },
  {
    what: 'the hash of the event before it taken away',
    check: 'chain',
    place: ({ at }) => at(job(), 2),
    does: ({ at, change }) => change(at(job(), 2), 'metadata', (text) => text.replace(/,"previousHash":"[^"]*"/, '')),
  },
  {
    what: 'an event written twice',
    check: 'ids',
    place: ({ db }) => db.prepare<[], number>('SELECT max(position) + 1 FROM events').pluck().get() ?? 0,
    does: ({ db, at, end }) => {
      db.prepare(
        `INSERT INTO events SELECT (SELECT max(position) + 1 FROM events), stream_key, ${end(job()) + 1}, id_key, stream, type, id, metadata, data FROM events WHERE position = ?`,
      ).run(at(job(), 2));
    },
  },
  {
    what: 'an event moved to another stream',
    check: 'references',
    place: ({ at }) => at(job(), 2),
    does: ({ db, at, end }) => {
      const other = db
        .prepare<[string], number>('SELECT stream_key FROM events WHERE stream = ?')
        .pluck()
        .get(jobStream(past.jobs.waiting));
      db.prepare('UPDATE events SET stream = ?, stream_key = ?, revision = ? WHERE position = ?').run(
        jobStream(past.jobs.waiting),
        other,
        end(jobStream(past.jobs.waiting)) + 1,
        at(job(), 2),
      );
    },
  },
  {
    what: 'a revision renumbered',
    check: 'order',
    place: ({ at }) => at(job(), 2),
    does: ({ db, at }) => db.prepare('UPDATE events SET revision = 900 WHERE position = ?').run(at(job(), 2)),
  },
  {
    what: 'a shape that nobody writes',
    check: 'shape',
    place: ({ at }) => at(bill(), 1),
    does: ({ at, change }) => change(at(bill(), 1), 'data', (text) => text.replace('"jobId"', '"jobbId"')),
  },
  {
    what: 'an account taken out whole',
    check: 'references',
    place: ({ at }) => at(job(), 0),
    does: ({ db }) => db.prepare('DELETE FROM events WHERE stream = ?').run(accountStream(past.ann)),
  },
  {
    what: 'a chain made anew over a change',
    check: 'checkpoint',
    needsCheckpoint: true,
    place: ({ at }) => at(job(), 0),
    does: (tables) => {
      tables.change(tables.at(job(), 0), 'data', (text) => text.replace('http://', 'https://'));
      chainAnew(tables, job());
    },
  },
  {
    what: 'the last event of a stream changed',
    check: 'checkpoint',
    needsCheckpoint: true,
    place: ({ at, end }) => at(bill(), end(bill())),
    does: ({ at, end, change }) =>
      change(at(bill(), end(bill())), 'metadata', (text) => text.replace('"at":"2026-', '"at":"2025-')),
  },
  {
    what: 'the end of the log cut off',
    check: 'checkpoint',
    needsCheckpoint: true,
    place: ({ db }) => db.prepare<[], number>('SELECT max(position) FROM events').pluck().get() ?? 0,
    does: ({ db }) => db.prepare('DELETE FROM events WHERE position = (SELECT max(position) FROM events)').run(),
  },
  {
    what: 'events of two streams swapped in the log',
    check: 'checkpoint',
    needsCheckpoint: true,
    place: ({ db }) => neighbours(db)[1],
    does: ({ db }) => swap(db, ...neighbours(db), `stream, stream_key, revision, ${CONTENT}`),
  },
  {
    what: 'a stream taken out whole',
    check: 'checkpoint',
    needsCheckpoint: true,
    place: ({ at }) => at(planStream(past.jobs.done), 0),
    does: ({ db }) => db.prepare('DELETE FROM events WHERE stream = ?').run(planStream(past.jobs.done)),
  },
  {
    what: 'every hash taken away',
    check: 'checkpoint',
    needsCheckpoint: true,
    place: ({ at }) => at(job(), 1),
    does: ({ db }) => db.prepare("UPDATE events SET metadata = json_remove(metadata, '$.previousHash')").run(),
  },
];

/** Two adjacent events of different streams: each stream by itself stays in order. */
function neighbours(db: Database.Database): [number, number] {
  const one =
    db
      .prepare<[], number>(
        'SELECT a.position FROM events a JOIN events b ON b.position = a.position + 1 WHERE a.stream <> b.stream LIMIT 1',
      )
      .pluck()
      .get() ?? 0;
  return [one, one + 1];
}

beforeAll(async () => {
  folder = logFolder();
  const site = await startTestSite(PAGES);
  const { raw, store } = folder.open('events.db');
  past = await livedIn(store, site.host);
  await writeCheckpoint({ store: raw, file: folder.path('checkpoint'), key, at: past.made.now() });
  await store.close();
  await site.close();
  ({ sealed } = await readCheckpoint(folder.path('checkpoint')));
});
afterAll(() => folder.remove());

it('nothing is found in an untouched log, nor in its backup', async () => {
  expect(await folder.verify('events.db', sealed)).toMatchObject({ found: [], erased: 0, events: sealed.count });
  const { raw } = folder.open('events.db');
  await raw.backup(folder.path('backup.db'));
  await raw.close();
  expect(checkBackup(folder.path('backup.db')).events).toBe(sealed.count);
  expect(await folder.verify('backup.db', sealed)).toMatchObject({ found: [], erased: 0 });
});

it('there are at least twenty kinds of damage', () => {
  expect(DAMAGE.length).toBeGreaterThanOrEqual(20);
});

describe.each(DAMAGE)('$what', ({ does, place, check, needsCheckpoint }) => {
  it('the fault is reported at its event', async () => {
    let position = 0;
    const copy = folder.damaged('events.db', (db) => {
      const tables = tablesOf(db);
      position = place(tables);
      does(tables);
    });
    const places = (await folder.verify(copy, needsCheckpoint ? sealed : null)).found
      .filter((fault) => fault.check === check)
      .map((fault) => Number(fault.position));
    expect(places).toContain(position);
    if (needsCheckpoint) expect((await folder.verify(copy)).found).toEqual([]);
    else expect((await folder.verify(copy, sealed)).found.map((fault) => Number(fault.position))).toContain(position);
  });

  it('is found as often by the daily check in its small steps, whenever its process is restarted', async () => {
    const { raw } = folder.open(folder.damaged('events.db', (db) => does(tablesOf(db))));
    const proof = needsCheckpoint ? sealed : null;
    const { events, found } = await verified(raw, proof);
    const { steps, first } = await dailyLook(raw, { sealed: proof });
    expect(steps).toBeGreaterThan(10);
    for (const restartAfter of [steps, 1, 2, Math.floor(steps / 2), steps - 1])
      expect(await dailyLook(raw, { sealed: proof, restartAfter })).toMatchObject({
        events,
        faults: found.length,
        first,
      });
    await raw.close();
  });
});

it('a changed event is named once by the chain and once by the checkpoint', async () => {
  const copy = folder.damaged('events.db', (db) => {
    const { at, change } = tablesOf(db);
    change(at(job(), 0), 'data', (text) => text.replace('http://', 'https://'));
  });
  const { found } = await folder.verify(copy, sealed);
  expect(found.map(({ check, stream, revision }) => [check, stream, revision])).toEqual([
    ['chain', job(), '0'],
    ['checkpoint', job(), '0'],
  ]);
});

it('an erased account, job and shared link are no damage, and neither are later events', async () => {
  const copy = folder.damaged('events.db', () => undefined);
  const { store, raw } = folder.open(copy);
  const made = { ...past.made, store };
  const context: typeof made.context = (given, other) => past.made.context(given, other ?? store);
  const log = async () => (await raw.readAll({ limit: 100_000 })).events;
  const { bob, ann, jobs } = past;
  await deleteAccount(context(), { userId: bob });
  await eraseAccount(context(), { userId: bob, owned: ownedOf({ log }) });
  await deleteJob(context(), { jobId: jobs.done });
  const deleted = (await store.read(jobStream(jobs.done), { direction: 'backward', limit: 1 })) as {
    events: readonly { metadata: { erased?: object } }[];
  };
  expect(Object.keys(deleted.events[0]?.metadata.erased ?? {})).toContain(reportStream(jobs.done));
  expect(await store.read(accountStream(bob))).toMatchObject({ status: 'found', events: [{ type: 'AccountDeleted' }] });
  expect(ann).not.toBe(bob);
  await store.close();
  const { found, erased } = await folder.verify(copy, sealed);
  expect(found).toEqual([]);
  expect(erased).toBeGreaterThan(5);
});

it('a stream deleted without a fact that says so is damage', async () => {
  const copy = folder.damaged('events.db', () => undefined);
  const { raw } = folder.open(copy);
  await raw.delete(planStream(past.jobs.done));
  await raw.close();
  expect((await folder.verify(copy, sealed)).found).toContainEqual(
    expect.objectContaining({ check: 'checkpoint', stream: planStream(past.jobs.done) }),
  );
});

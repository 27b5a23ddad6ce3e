/**
 * Events without a hash among others that have one: those left by a process of an earlier version are distinguished
 * from a removed hash.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withChain } from '../../../src/eventStore/chain/withChain.ts';
import type { EventStore, NewEvent } from '../../../src/eventStore/eventStore.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/eventStore/verify/checkpointFile.ts';
import type { Sealed } from '../../../src/eventStore/verify/seals.ts';
import { createUnsealed } from '../../../src/eventStore/verify/unsealed.ts';
import { type LogFolder, logFolder, verified } from '../../given/stores/logFiles.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { dailyLook } from '../../given/work/verifying.ts';

const { privateKey: key } = generateKeyPairSync('ed25519');
const at = '2026-03-01T00:00:00.000Z';
let folder: LogFolder;
let sealed: Sealed;

/** The streams in the order in which they were written to: `n`ew processes name the event before, `o`ld ones do not. */
const WRITTEN = [
  'whole n',
  'whole n',
  'early n',
  'early o',
  'long n',
  'run n',
  'ends n',
  'late n',
  'done n',
  'long o',
  'run o',
  'run o',
  'long n',
  'run n',
  'ends o',
  'done n',
  'long o',
  'long n',
  'whole n',
  'whole n',
  'late o',
];

const progressed = (jobId: string, pagesDone: number): NewEvent => ({
  id: randomUUID(),
  type: 'JobProgressed',
  data: { jobId, step: 'crawl', pagesDone, pagesKnown: 100, at },
  metadata: metadataAt(at),
});

async function write(raw: EventStore): Promise<void> {
  const newer = withChain(raw, { closes: () => [] });
  for (const [index, text] of WRITTEN.entries()) {
    const [jobId = '', by] = text.split(' ');
    await (by === 'n' ? newer : raw).append(`job-${jobId}`, [progressed(jobId, index)], { expected: 'any' });
  }
}

/** Positions count from 1. */
const positionOf = (text: string, number = 1): number =>
  WRITTEN.flatMap((each, index) => (each === text ? [index + 1] : []))[number - 1] ?? 0;

async function lookAt(damage: (db: Database.Database) => void, proof: Sealed | null = null) {
  const { raw } = folder.open(folder.damaged('events.db', damage));
  const { found, unsealed, events } = await verified(raw, proof);
  const { steps } = await dailyLook(raw, { sealed: proof });
  for (let restartAfter = 0; restartAfter < steps; restartAfter += 1)
    expect(await dailyLook(raw, { sealed: proof, restartAfter })).toMatchObject({
      events,
      faults: found.length,
      unsealed: unsealed.events,
    });
  await raw.close();
  return { unsealed, faults: found.map(({ check, position }) => `${check} ${Number(position)}`) };
}

beforeAll(async () => {
  folder = logFolder();
  const { raw } = folder.open('events.db');
  await write(raw);
  await writeCheckpoint({ store: raw, file: folder.path('checkpoint'), key, at });
  await raw.close();
  ({ sealed } = await readCheckpoint(folder.path('checkpoint')));
});
afterAll(() => folder.remove());

const untouched = () => undefined;
/** Nothing was written after the last events of `early` and `late`, and they are outside of what is proven. */
const OUTSIDE = [`chain ${positionOf('early o')}`, `chain ${positionOf('late o')}`];

const unsign = (position: number) => (db: Database.Database) => {
  const { changes } = db
    .prepare(
      "UPDATE events SET metadata = json_remove(metadata, '$.previousHash') WHERE position = ? AND metadata LIKE '%previousHash%'",
    )
    .run(position);
  expect(changes).toBe(1);
};

describe('events without a hash that an earlier version wrote', () => {
  it('are not sealed where later ones follow them, also on the last of several, and where they end a stream among such', async () => {
    const first = String(positionOf('long o')).padStart(20, '0');
    expect(await lookAt(untouched)).toEqual({ unsealed: { events: 5, first }, faults: OUTSIDE });
  });

  it('are settled by a checkpoint, at any position', async () => {
    expect(await lookAt(untouched, sealed)).toMatchObject({ unsealed: { events: 7 }, faults: [] });
  });
});

describe('a hash that was removed', () => {
  it('is found where an event with a hash follows it', async () => {
    const position = positionOf('whole n', 3);
    const { unsealed, faults } = await lookAt(unsign(position));
    expect({ events: unsealed.events, faults: faults.toSorted() }).toEqual({
      events: 5,
      faults: [`chain ${position}`, ...OUTSIDE].toSorted(),
    });
  });

  it('is found at the end of a stream where no earlier version wrote at that time', async () => {
    const position = positionOf('whole n', 4);
    const { unsealed, faults } = await lookAt(unsign(position));
    expect({ events: unsealed.events, faults: faults.toSorted() }).toEqual({
      events: 5,
      faults: [`chain ${position}`, ...OUTSIDE].toSorted(),
    });
  });

  it('is found only by a checkpoint where an earlier version wrote at that time and nothing with a hash follows', async () => {
    for (const position of [positionOf('done n', 2), positionOf('long n', 2)]) {
      expect(await lookAt(unsign(position))).toMatchObject({ unsealed: { events: 6 }, faults: OUTSIDE });
      expect((await lookAt(unsign(position), sealed)).faults).toContain(`checkpoint ${position}`);
    }
  });
});

describe('damage beside events without a hash', () => {
  it('is a changed one, after which earlier ones are not proven either', async () => {
    const position = positionOf('run o', 2);
    const { faults } = await lookAt(
      (db) =>
        void db.prepare("UPDATE events SET data = replace(data, ':100', ':101') WHERE position = ?").run(position),
    );
    expect(faults.toSorted()).toEqual([`chain ${position}`, `chain ${positionOf('run o')}`, ...OUTSIDE].toSorted());
  });

  it('is a missing one', async () => {
    const { faults } = await lookAt(
      (db) => void db.prepare('DELETE FROM events WHERE position = ?').run(positionOf('run o', 2)),
    );
    expect(faults.toSorted()).toEqual(
      [`order ${positionOf('run n', 2)}`, `chain ${positionOf('run o')}`, ...OUTSIDE].toSorted(),
    );
  });
});

it('beyond the memory limit is decided for the oldest at once', () => {
  const unsealed = createUnsealed(2);
  const place = (number: number) => ({
    position: String(number).padStart(20, '0'),
    stream: `job-${number}`,
    type: 'JobProgressed',
    revision: 1n,
    hash: '',
  });
  expect([1, 2, 3].map((number) => unsealed.add(place(number))?.position ?? null)).toEqual([
    null,
    null,
    place(1).position,
  ]);
  unsealed.prove('job-2');
  unsealed.add(place(4));
  unsealed.prove('job-4');
  expect([5, 6].map((number) => unsealed.add(place(number)))).toEqual([null, null]);
  expect(unsealed.found()).toEqual({ events: 3, first: place(2).position });
});

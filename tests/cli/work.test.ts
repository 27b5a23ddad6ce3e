/** `npm run work`, run as a user runs it. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actorName } from '../../src/domain/stored/metadata.ts';
import { openStores, type Stores } from '../../src/start/openStores.ts';
import { WORK_ITEMS } from '../../src/work/items.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { runProgram } from '../given/product/program.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';

const AT = '2026-03-10T12:00:00.123Z';
const bounds = { maxPages: 50, maxMs: 180_000 };

let data: string;
let running: { readonly stores: Stores; readonly loop: Projecting } | null = null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'work-'));
});
afterEach(async () => {
  await stop();
  rmSync(data, { recursive: true });
});

/** Owns the data folder as the server does: files, socket, read models. */
async function start(): Promise<Stores> {
  const stores = await openStores({ servers: null, DATA_DIR: data }, pino({ level: 'silent' }));
  const loop = projecting(stores.store, stores.readModels, READ_MODELS);
  running = { stores, loop };
  await loop.ready;
  return stores;
}

async function stop(): Promise<void> {
  await running?.loop.stop();
  await running?.stores.close();
  running = null;
}

async function enqueue({ store, readModels }: Stores, ...jobIds: readonly string[]): Promise<void> {
  for (const jobId of jobIds) {
    const submitted = {
      jobId,
      userId: 'ann',
      url: 'https://example.com/',
      host: 'example.com',
      bounds,
      access: 'full',
      submittedAt: AT,
    };
    const events = [
      { id: randomUUID(), type: 'JobSubmitted', data: submitted, metadata: metadataAt(AT) },
      { id: randomUUID(), type: 'JobQueued', data: { jobId, queuedAt: AT }, metadata: metadataAt(AT) },
    ];
    const { position } = await store.append(`job-${jobId}`, events, { expected: 'no_stream' });
    expect(await readModels.reached([WORK_ITEMS], position, 5_000)).toBe(true);
  }
}

const work = (...args: readonly string[]) => runProgram('work', args, { DATA_DIR: data });

const eventsOf = async ({ store }: Stores, stream: string) => {
  const read = await store.read(stream);
  return read.status === 'found' ? read.events.map(({ type, metadata }) => [type, actorName(metadata.actor)]) : [];
};

describe('npm run work', () => {
  it('lists, retries and drops through the running server', async () => {
    const stores = await start();
    expect(await work('list')).toEqual({ code: 0, output: 'No work is pending.\n' });
    await enqueue(stores, 'j-1', 'j-2');
    const claim = await stores.claims.take({
      item: { kind: 'audit', itemId: 'j-2', opening: (await openingOf(stores, 'j-2')) ?? '', lane: 'ann' },
      seen: null,
      holder: 'a worker',
      laneLimit: 2,
    });
    if (typeof claim === 'string') throw new Error(claim);
    await stores.claims.letGo(claim, {
      attempts: 3,
      failure: 'TypeError',
      notBefore: '2026-03-10T12:30:00.000Z',
      vanishings: 1,
    });
    const { code, output } = await work('list', '--kind', 'audit');
    expect([code, output.split('\n').map((line) => line.replaceAll(/ +/g, ' '))]).toEqual([
      0,
      [
        'KIND ITEM LANE OPENED DUE FAILED LAST FAILURE HELD VANISHED',
        'audit j-1 ann 2026-03-10T12:00:00Z 2026-03-10T12:00:00Z 0 - no 0',
        'audit j-2 ann 2026-03-10T12:00:00Z 2026-03-10T12:30:00Z 3 TypeError no 1',
        '',
      ],
    ]);
    expect(await work('list', '--kind', 'mail')).toEqual({ code: 0, output: 'No work is pending.\n' });
    expect((await work('list', '--limit', '1')).output).toContain('The first 1 are shown; --limit shows more.');

    expect(await work('retry', 'audit', 'j-2')).toEqual({
      code: 0,
      output: 'audit j-2 is due now, and its earlier attempts no longer count.\n',
    });
    expect(await eventsOf(stores, 'work-audit-j-2')).toEqual([['WorkRetryAsked', 'system:operator']]);
    expect(await stores.readModels.reached([WORK_ITEMS], await stores.store.head(), 5_000)).toBe(true);
    const rows = JSON.parse((await work('list', '--json')).output) as { itemId: string; attempts: number }[];
    expect(rows.map(({ itemId, attempts }) => [itemId, attempts])).toEqual([
      ['j-1', 0],
      ['j-2', 0],
    ]);

    const { code: unconfirmed, output: asked } = await work('drop', 'audit', 'j-2');
    expect([unconfirmed, asked]).toEqual([
      2,
      'Nothing was dropped. To drop it for good without being asked, add --yes.\n',
    ]);
    expect(await work('drop', 'audit', 'j-2', '--yes')).toEqual({ code: 0, output: 'audit j-2 was dropped.\n' });
    expect((await work('list', '--given-up')).output).toMatch(/KIND +ITEM[\s\S]+audit +j-2 +example.com/);
    expect((await eventsOf(stores, 'job-j-2')).at(-1)).toEqual(['JobFailed', 'system:operator']);
    expect(await work('retry', 'audit', 'nowhere')).toEqual({
      code: 1,
      output: 'No audit nowhere is pending or was given up.\n',
    });
    const tooLong = await work('retry', 'audit', 'x'.repeat(300));
    expect(tooLong).toEqual({ code: 1, output: expect.stringMatching(/^✖ Too big.*\n.*at itemId\n$/) });
  });

  it('opens the files itself if no server is running, and the next server sees the result', async () => {
    expect(await work('list')).toEqual({ code: 1, output: `There is no event log in ${data}: no work is pending.\n` });
    await enqueue(await start(), 'j-1');
    await stop();
    expect((await work('list')).output).toContain('j-1');
    expect((await work('drop', 'audit', 'j-1', '--yes')).code).toBe(0);
    const stores = await start();
    expect(await eventsOf(stores, 'job-j-1')).toEqual([
      ['JobSubmitted', 'user:test'],
      ['JobQueued', 'user:test'],
      ['JobFailed', 'system:operator'],
    ]);
    expect(await openingOf(stores, 'j-1')).toBeNull();
  });

  it('explains invalid arguments', async () => {
    expect(await work('retry', 'sweeping', 'x')).toMatchObject({
      code: 2,
      output: expect.stringContaining(
        'Kinds are audit, mail, webhook, rework, providerEvent, followUp, sequenceMail, promptTrial, accountExport.',
      ),
    });
    expect((await work('list', '--limit', '0')).code).toBe(2);
    expect((await work('drop', 'audit')).code).toBe(2);
    expect((await work()).code).toBe(2);
  });
});

async function openingOf({ readModels }: Stores, jobId: string): Promise<string | null> {
  return (await readModels.get<{ opening: string }>(WORK_ITEMS, `audit/${jobId}`))?.data.opening ?? null;
}

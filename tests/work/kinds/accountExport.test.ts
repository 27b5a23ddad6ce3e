/** Exports of accounts: requested once, written in parts, ready or given up, and gone with the account. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { readExportFile } from '../../../src/commands/accountExport/exportFile.ts';
import { requestAccountExport } from '../../../src/commands/accountExport/requestAccountExport.ts';
import { dropWork } from '../../../src/commands/work/dropWork.ts';
import { exportsStream } from '../../../src/domain/accountExport/events.ts';
import { isOf } from '../../../src/domain/stored/eventOf.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { ACCOUNT_EXPORT, accountExportKind } from '../../../src/work/kinds/accountExport.ts';
import type { AccountExportDeps } from '../../../src/workers/accountExport.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { ownedOf } from '../../given/leaver.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let made: Product;
let userId: string;
let work: Work;
beforeEach(async () => {
  made = await withAdmin();
  userId = await userOf(made);
  work = await openWork(made);
});
afterEach(() => work.close());

type ContentOf = AccountExportDeps['contentOf'];

/** Larger than a part, each with its own text. */
const jobText = (nth: number): string => `[${nth}]${'é'.repeat(200_000)}`;
const contentWith = (jobs: number): ContentOf =>
  async function* contentOf(_userId, onJob) {
    yield 'head';
    for (let nth = 0; nth < jobs; nth += 1) {
      yield jobText(nth);
      onJob(nth + 1, jobs);
    }
    yield 'end';
  };
const textWith = (jobs: number): string => `head${Array.from({ length: jobs }, (_, nth) => jobText(nth)).join('')}end`;

const kindWith = (contentOf: ContentOf = contentWith(3), store: EventStore = made.store) =>
  accountExportKind(
    { context: (cause) => made.context(cause, store), now: made.now, contentOf },
    { random: () => 0.5 },
  );
const request = () => requestAccountExport(made.context(), { userId });
const isDone = () => until(async () => (await work.listed(ACCOUNT_EXPORT)).length === 0, 'the end of all exports');
const typesOf = () => made.types(exportsStream(userId));
const partsOf = async () => (await made.log()).filter((event) => isOf(event, 'AccountExportPartWritten'));
async function fileOf(): Promise<string> {
  const ready = (await made.log()).findLast((event) => isOf(event, 'AccountExportReady'));
  if (!ready || !isOf(ready, 'AccountExportReady')) throw new Error('No export is ready.');
  let text = '';
  for await (const part of readExportFile(made.store, ready.data)) text += part;
  expect(Buffer.byteLength(text)).toBe(ready.data.bytes);
  return text;
}

/** Content that waits after its first job until the test lets it go on. */
function waitingContent() {
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let waiting = 0;
  const contentOf: ContentOf = async function* waitsOf(id, onJob) {
    for await (const chunk of contentWith(3)(id, onJob)) {
      yield chunk;
      if (!chunk.startsWith('[1]')) continue;
      waiting += 1;
      await gate;
    }
  };
  return { contentOf, isWaiting: () => until(() => waiting === 1), goOn: () => goOn() };
}

describe('the export of an account', () => {
  it.each([0, 1, 12])('is one file in parts, with its progress: %i jobs', async (jobs) => {
    const { position } = await request();
    expect(await work.item(ACCOUNT_EXPORT, userId)).toMatchObject({
      lane: userId,
      opening: position,
      opener: { type: 'AccountExportRequested' },
    });
    work.start([kindWith(contentWith(jobs))]);
    await isDone();
    expect(await fileOf()).toBe(textWith(jobs));
    expect((await typesOf()).filter((type) => type !== 'AccountExportProgressed')).toEqual([
      'AccountExportRequested',
      'AccountExportStarted',
      'AccountExportReady',
    ]);
    const percents = (await made.log()).flatMap((event) =>
      isOf(event, 'AccountExportProgressed') ? [event.data.percent] : [],
    );
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    if (jobs === 12) expect(percents.length).toBeGreaterThan(5);
    // Nothing larger than the smallest store takes.
    for (const { data } of await partsOf()) expect(JSON.stringify(data).length).toBeLessThan(1_000_000);
  });

  it('is one work item however often it is requested while pending, and another one afterwards', async () => {
    expect([(await request()).ask, (await request()).ask]).toEqual([1, 1]);
    work.start([kindWith()]);
    await isDone();
    const [first] = await partsOf();
    expect((await request()).ask).toBe(2);
    await isDone();
    expect(await fileOf()).toBe(textWith(3));
    // The first file is gone.
    expect((await made.store.read(first?.stream ?? '')).status).toBe('deleted');
    expect((await typesOf()).filter((type) => type === 'AccountExportReady')).toHaveLength(2);
  });

  it('is given up after three failed attempts, after a day, and by an operator; its file is not kept', async () => {
    await request();
    const failing = work.start([
      kindWith(async function* failingContent() {
        yield jobText(0);
        throw new Error('no memory');
      }),
    ]);
    for (let tries = 1; tries < 3; tries += 1) {
      await until(async () => (await work.claim(ACCOUNT_EXPORT, userId))?.attempts === tries, `try ${tries}`);
      made.pass(1);
    }
    await isDone();
    expect((await typesOf()).at(-1)).toBe('AccountExportFailed');
    await failing.stop();
    await request();
    made.pass(25 * 60);
    const late = work.start([kindWith()]);
    await isDone();
    expect((await made.log()).at(-1)).toMatchObject({
      type: 'AccountExportFailed',
      data: { ask: 2, reason: 'This was not begun in time. Please try again.' },
    });
    await late.stop();
    await request();
    const item = await work.item(ACCOUNT_EXPORT, userId);
    if (!item) throw new Error('It is not pending.');
    await dropWork(made.context(), item);
    expect((await made.log()).at(-1)).toMatchObject({
      type: 'AccountExportFailed',
      data: { ask: 3, code: 'GIVEN_UP' },
    });
  });

  it('ends with its account, whose deletion leaves no part of it', async () => {
    const { contentOf, isWaiting, goOn } = waitingContent();
    await request();
    const runner = work.start([kindWith(contentOf)]);
    await isWaiting();
    const [part] = await partsOf();
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    runner.interrupt(ACCOUNT_EXPORT, userId, 'AccountExportRemoved');
    goOn();
    await isDone();
    await until(() => runner.state()[0]?.running === 0);
    expect(await typesOf()).toEqual(['AccountExportRemoved']);
    expect(await partsOf()).toEqual([]);
    expect((await made.store.read(part?.stream ?? '')).status).toBe('deleted');
    await expect(request()).rejects.toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });
});

describe('a worker on an export', () => {
  it('that vanishes half way is replaced by another, which writes the whole file', async () => {
    const { contentOf, isWaiting, goOn } = waitingContent();
    const dying = work.startMortal((store) => [kindWith(contentOf, store)], 'one');
    await request();
    await isWaiting();
    expect(await partsOf()).not.toEqual([]);
    const vanished = dying.vanish();
    goOn();
    await vanished;
    work.start([kindWith()], { holder: 'two' });
    await isDone();
    expect((await typesOf()).filter((type) => type !== 'AccountExportProgressed')).toEqual([
      'AccountExportRequested',
      'AccountExportStarted',
      'AccountExportStarted',
      'AccountExportReady',
    ]);
    expect(await fileOf()).toBe(textWith(3));
    expect(new Set((await partsOf()).map(({ stream }) => stream)).size).toBe(1);
  });

  it('that resumes after another has taken over changes nothing of the file', async () => {
    const { contentOf, isWaiting, goOn } = waitingContent();
    let held = true;
    const stopped = work.start([kindWith(contentOf)], { holder: 'one', held: () => held });
    await request();
    await isWaiting();
    held = false;
    await work.readModels.claims.vacate('one');
    work.start([kindWith()], { holder: 'two' });
    await isDone();
    const before = await typesOf();
    goOn();
    await stopped.stop();
    expect(await typesOf()).toEqual(before);
    expect(await fileOf()).toBe(textWith(3));
  });
});

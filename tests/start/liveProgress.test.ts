/** The progress of audits across processes that share only the stores. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { ProgressTick } from '../../src/domain/job/liveProgress.ts';
import type { Presence } from '../../src/readModels/presence.ts';
import { type SharedProgress, shareProgress } from '../../src/start/liveProgress.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const log = pino({ level: 'silent' });
let seconds = 0;
const now = (): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();

function processesOn(presence: Presence, count: number): SharedProgress[] {
  return Array.from({ length: count }, () => shareProgress({ presence, now, log }));
}

function ticksOf(progress: SharedProgress): ProgressTick[] {
  const ticks: ProgressTick[] = [];
  progress.listen((tick) => void ticks.push(tick));
  return ticks;
}

const tick = (pagesDone: number, jobId = 'job'): ProgressTick => ({ jobId, pagesDone, pagesKnown: 50 });

describe('the progress of audits in other processes', () => {
  it('reaches every http process, each change once, and ends with the audit', async () => {
    const { presence } = memoryReadModels();
    const [worker, ...pages] = processesOn(presence, 3) as [SharedProgress, SharedProgress, SharedProgress];
    const told = pages.map(ticksOf);
    for (const pagesDone of [1, 2]) {
      worker.report(tick(pagesDone));
      await worker.settled();
      for (const page of [...pages, ...pages]) await page.refresh();
    }
    for (const ticks of told) expect(ticks).toEqual([tick(1), tick(2)]);
    expect(pages.map((page) => page.of('job'))).toEqual([tick(2), tick(2)]);
    expect(await presence.list('audit', { since: '', limit: 9 })).toHaveLength(1);

    worker.report(tick(3));
    worker.end('job');
    await worker.settled();
    expect(await presence.list('audit', { since: '', limit: 9 })).toEqual([]);
    for (const page of pages) await page.refresh();
    expect(pages.map((page) => page.of('job'))).toEqual([null, null]);
  });

  it('is known at once to a process that has just started', async () => {
    const { presence } = memoryReadModels();
    const [worker, page] = processesOn(presence, 2) as [SharedProgress, SharedProgress];
    worker.report(tick(7));
    await worker.settled();
    await page.refresh();
    expect(page.of('job')).toEqual(tick(7));
  });

  it('of a killed worker is replaced by that of the next one, or dropped after a while', async () => {
    const { presence } = memoryReadModels();
    const [killed, next, page] = processesOn(presence, 3) as [SharedProgress, SharedProgress, SharedProgress];
    killed.report(tick(40));
    killed.report(tick(9, 'other'));
    await killed.settled();
    await page.refresh();
    next.report(tick(1));
    await next.settled();
    await page.refresh();
    expect(page.of('job')).toEqual(tick(1));
    expect(page.of('other')).toEqual(tick(9, 'other'));
    seconds += 3_600;
    await page.refresh();
    expect(page.of('other')).toBeNull();
  });

  it('does not replace newer progress of this process', async () => {
    const { presence } = memoryReadModels();
    const [only] = processesOn(presence, 1) as [SharedProgress];
    only.report(tick(1));
    await only.settled();
    // Not yet written when the others' progress is read.
    only.report(tick(2));
    const ticks = ticksOf(only);
    await only.refresh();
    expect([only.of('job'), ticks]).toEqual([tick(2), []]);
  });

  it('survives documents of another version, and stores that are unavailable', async () => {
    const { presence } = memoryReadModels();
    await presence.note('audit', { id: 'job', at: now(), value: '{"pages":1}' });
    await presence.note('audit', { id: 'job 2', at: now(), value: 'not JSON' });
    const down = shareProgress({
      presence: { ...presence, note: async () => Promise.reject(new Error('down')) },
      now,
      log,
    });
    await down.refresh();
    down.report(tick(1));
    await down.settled();
    expect([down.of('job'), down.of('job 2')]).toEqual([tick(1), null]);
  });
});

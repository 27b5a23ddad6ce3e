/** Moments: a time or a position as a place in the log. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { type RecordedEvent, START } from '../../../src/eventStore/eventStore.ts';
import { momentOf } from '../../../src/history/past/moment.ts';
import { PROJECTIONS } from '../../../src/projections/all.ts';
import { applyBatch, openLane } from '../../../src/projector/projectionLane.ts';
import { userOf, withAdmin } from '../../given/commands.ts';
import { roundsDuring, slowly } from '../../given/loopRounds.ts';
import { rawEventStore } from '../../given/stores/eventStore.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

async function installation() {
  const made = await withAdmin();
  const userId = await userOf(made);
  for (const host of ['a.example', 'b.example', 'c.example']) {
    made.pass(60);
    const submitted = await submitJobs(made.context(), {
      userId,
      sites: [{ url: `https://${host}/`, host }],
      bounds: { maxPages: 5, maxMs: 1_000 },
    });
    expect(submitted.jobIds).toHaveLength(1);
  }
  const log = await made.log();
  const readModels = memoryReadModels();
  const lanes = await Promise.all(PROJECTIONS.map((projection) => openLane(readModels, projection, 'v1')));
  await applyBatch(readModels, lanes, { events: log, upTo: log.at(-1)?.position ?? START }, made.now);
  for (const { name } of PROJECTIONS) await readModels.serve(name, 'v1');
  return { made, log, deps: { store: made.store, readModels } };
}

describe('a moment', () => {
  it('of a time is the place before the first later event', async () => {
    const { log, deps } = await installation();
    for (const [nth, event] of log.entries()) {
      const time = event.metadata.at;
      const last = log.findLast(({ metadata }) => metadata.at <= time) ?? event;
      const next = log[log.indexOf(last) + 1]?.position ?? null;
      expect(await momentOf(deps, { time }), `event ${nth}`).toEqual({ position: last.position, time, next });
      // Between two events it is that of the earlier one.
      expect(await momentOf(deps, { time: new Date(Date.parse(time) + 1_000).toISOString() })).toEqual({
        position: last.position,
        time,
        next,
      });
    }
  });

  it('of a position is that of the last event up to there', async () => {
    const { made, log, deps } = await installation();
    for (const [nth, { position, metadata }] of log.entries()) {
      expect(await momentOf(deps, { position })).toEqual({
        position,
        time: metadata.at,
        next: log[nth + 1]?.position ?? null,
      });
    }
    expect(await momentOf(deps, { position: '9'.repeat(18).padStart(20, '0') })).toMatchObject({
      position: log.at(-1)?.position,
      next: null,
    });
    // Where events were erased, that of the last remaining one.
    await made.store.delete(log.at(-2)?.stream ?? '');
    const left = await made.log();
    expect(left.length).toBeLessThan(log.length);
    for (const { position } of log)
      expect((await momentOf(deps, { position }))?.position).toBe(
        left.findLast((event) => event.position <= position)?.position,
      );
  });

  it('before the first event is null', async () => {
    const { deps } = await installation();
    expect(await momentOf(deps, { time: '2020-01-01T00:00:00.000Z' })).toBeNull();
    expect(await momentOf(deps, { position: START })).toBeNull();
  });

  it('follows the log where clocks differ: an event with a later time ends it, whatever follows', async () => {
    const { made, deps, log } = await installation();
    const at = log.at(-1)?.metadata.at ?? '';
    made.pass(1);
    await userOf(made, 'ahead@example.com');
    const ahead = (await made.log()).find(({ position }) => position > (log.at(-1)?.position ?? ''))?.position;
    made.pass(-2);
    await userOf(made, 'behind@example.com');
    expect(await momentOf(deps, { time: at })).toMatchObject({ position: log.at(-1)?.position, next: ahead });
  });

  it('is aborted with its request', async () => {
    const { deps } = await installation();
    await expect(
      momentOf(deps, { time: '2026-03-11T00:00:00.000Z' }, AbortSignal.abort(new Error('gone'))),
    ).rejects.toThrow('gone');
  });

  it('of a long time without sign-ups and jobs lets others in', async () => {
    const { log, deps } = await installation();
    const store = rawEventStore();
    const metadata = (log[0] as RecordedEvent).metadata;
    const filler = (nth: number) => ({ id: randomUUID(), type: 'Filler', data: { nth }, metadata });
    await store.append(
      'filler',
      Array.from({ length: 5_000 }, (_, nth) => filler(nth)),
      { expected: 'any' },
    );
    expect(
      await roundsDuring(() => momentOf({ ...deps, store: slowly(store) }, { time: '2030-01-01T00:00:00.000Z' })),
    ).toBeGreaterThanOrEqual(4);
  });
});

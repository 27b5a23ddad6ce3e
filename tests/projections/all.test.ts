/**
 * Over whole histories, written by the product's own rules: delivering events again, in any batches, changes no
 * document.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailIdOf } from '../../src/commands/mail/mailOf.ts';
import type { ProductEvent } from '../../src/domain/eventTypes.ts';
import { EVENT_TYPES, EVENTS_WITHOUT_PROJECTION } from '../../src/domain/eventTypes.ts';
import { JOB_STEPS, type JobEvent } from '../../src/domain/job/events.ts';
import { REPORT_FILES } from '../../src/model/jobs.ts';
import { READ_MODELS } from '../../src/work/rules.ts';
import { at, bounds } from '../domain/job/history.ts';
import { rowsEvents } from '../given/analysis.ts';
import { report } from '../given/found.ts';
import { runs } from '../given/fullForm.ts';
import { fold, recorded } from '../given/stores/projection.ts';

const SEED = 20260305;

/** A job from its submission to some end, with its bill, its files and its plan. */
function lifeOf(jobId: string, userId: string, end: 'completed' | 'failed' | 'deleted'): readonly ProductEvent[] {
  const steps: readonly JobEvent[] = JOB_STEPS.flatMap((step) => [
    { type: 'JobStepStarted', data: { jobId, step, startedAt: at(2) } } as const,
    { type: 'JobStepEnded', data: { jobId, step, endedAt: at(3) } } as const,
  ]);
  const failed = end === 'failed';
  return [
    {
      type: 'AnalysisReserved',
      data: { userId, jobId, from: 'free_allowance', period: '2026-03', access: 'preview', reservedAt: at(0) },
    },
    {
      type: 'JobSubmitted',
      data: {
        jobId,
        userId,
        url: 'https://example.com/',
        host: 'example.com',
        bounds,
        access: 'preview',
        submittedAt: at(0),
      },
    },
    { type: 'JobQueued', data: { jobId, queuedAt: at(0) } },
    { type: 'JobStarted', data: { jobId, attempt: 1, startedAt: at(1) } },
    ...steps.slice(0, failed ? 5 : undefined),
    { type: 'JobProgressed', data: { jobId, step: 'crawl', pagesDone: 2, pagesKnown: 90, at: at(4) } },
    ...rowsEvents({ jobId, userId, writtenAt: at(5) }, report(), { size: 2 }),
    ...REPORT_FILES.flatMap((file): ProductEvent[] => [
      { type: 'ReportPartWritten', data: { jobId, userId, file, part: 0, parts: 2, text: file, writtenAt: at(5) } },
      { type: 'ReportPartWritten', data: { jobId, userId, file, part: 1, parts: 2, text: '!', writtenAt: at(5) } },
    ]),
    { type: 'PlanGenerated', data: { jobId, userId, by: 'AI', count: 0, items: [], generatedAt: at(6) } },
    { type: 'PlanExtended', data: { jobId, items: [] } },
    {
      type: 'ShareCreated',
      data: {
        jobId,
        userId,
        shareId: `of-${jobId}`,
        title: 'T',
        description: '',
        sharedContent: ['actions'],
        mode: 'preview',
        expiresAt: null,
        tokenHash: 'aa',
        createdAt: at(6),
      },
    },
    { type: 'ShareViewed', data: { jobId, shareId: `of-${jobId}`, count: 2, until: at(6) } },
    failed
      ? { type: 'JobFailed', data: { jobId, userId, code: 'X', reason: 'r', failedAt: at(7) } }
      : { type: 'JobCompleted', data: { jobId, userId, completedAt: at(7) } },
    failed
      ? { type: 'AnalysisReleased', data: { userId, jobId, reason: 'job_failed', releasedAt: at(8) } }
      : { type: 'AnalysisConsumed', data: { userId, jobId, consumedAt: at(8) } },
    ...(end === 'deleted' ? [{ type: 'JobDeleted', data: { jobId, userId, deletedAt: at(9) } } as const] : []),
  ];
}

/** Several jobs with their events interleaved, each job's own in order. */
const history = fc
  .array(fc.tuple(fc.constantFrom('completed', 'failed', 'deleted'), fc.constantFrom('ann', 'bob')), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((lives) => {
    const streams = lives.map(([end, userId], index) =>
      lifeOf(`job-${index}`, userId, end as 'completed' | 'failed' | 'deleted'),
    );
    const picks = streams.reduce((sum, events) => sum + events.length, 0);
    return fc.array(fc.nat(1_000), { minLength: picks, maxLength: picks }).map((dice) => {
      const left = streams.map((events) => [...events]);
      return dice.flatMap((die) => {
        const open = left.filter((events) => events.length > 0);
        return open[die % open.length]?.splice(0, 1) ?? [];
      });
    });
  });

describe('every projection', () => {
  it(`builds the same documents however often and in whatever batches events are delivered again (seed ${SEED})`, () => {
    fc.assert(
      fc.property(history, fc.array(fc.tuple(fc.nat(200), fc.nat(30)), { maxLength: 6 }), (events, repeats) => {
        const once = recorded(events);
        // As after a restart at an older checkpoint: a batch is delivered again in the middle.
        const again = [...once];
        for (const [from, length] of repeats) {
          const start = from % again.length;
          again.splice(
            start + 1,
            0,
            ...once.filter((event) => event.position <= (again[start]?.position ?? '')).slice(-length - 1),
          );
        }
        for (const projection of READ_MODELS) expect(fold(projection, again)).toEqual(fold(projection, once));
      }),
      { seed: SEED, numRuns: runs(300) },
    );
  });

  it('keeps nothing of a deleted job but its bill, once its email was dropped', () => {
    const life = lifeOf('job-1', 'ann', 'deleted');
    const mailId = recorded(life).flatMap((event) => mailIdOf(event) ?? [])[0] ?? '';
    const events = recorded<ProductEvent>([
      ...life,
      { type: 'MailDropped', data: { mailId, userId: 'ann', kind: 'job_done', reason: 'gone', droppedAt: at(10) } },
    ]);
    const left = READ_MODELS.map(
      ({ name, ...projection }) => [name, fold<object, ProductEvent>({ name, ...projection }, events)] as const,
    );
    const pointing = ['causes', 'activity'];
    expect(
      left.flatMap(([name, documents]) =>
        pointing.includes(name) ? [] : Object.keys(documents).map((id) => `${name}: ${id}`),
      ),
    ).toEqual(['billing: ann']);
    // These record positions of events, and content only as long as the events have it.
    const told = left.flatMap(([name, documents]) => (pointing.includes(name) ? Object.values(documents) : []));
    expect([...new Set(told.flatMap((document) => Object.keys(document)))].sort()).toEqual([
      'correlationId',
      'revision',
      'stream',
      'userId',
    ]);
  });

  it('has a unique name, and handles known events only', () => {
    expect(new Set(READ_MODELS.map((projection) => projection.name)).size).toBe(READ_MODELS.length);
    for (const projection of READ_MODELS) {
      expect(new Set(projection.handles).size).toBe(projection.handles.length);
      for (const type of projection.handles) expect(EVENT_TYPES).toContain(type);
    }
  });

  it('handles every event type, except those with a documented reason', () => {
    // The causes projection takes nearly all, and would hide omissions of the others.
    const others = READ_MODELS.filter(({ name }) => name !== 'causes');
    const handled = new Set(others.flatMap((projection) => projection.handles as readonly string[]));
    const exempt = Object.keys(EVENTS_WITHOUT_PROJECTION);
    expect(EVENT_TYPES.filter((type) => !handled.has(type)).sort()).toEqual(exempt.sort());
  });
});

/** Events as the product writes them, for logs of any length. */
import { randomUUID } from 'node:crypto';
import { JOB_STEPS } from '../src/domain/job/events.ts';
import type { EventStore, NewEvent } from '../src/eventStore/eventStore.ts';

const AT = '2026-11-21T09:00:00.000Z';
/** What all of them follow from. */
export const CAUSE = '0b5f1d3e-9a51-4a0e-8c5f-2f3b1c6f8a11';
const metadata = { actor: { kind: 'worker', id: 'audit' } as const, at: AT, correlationId: CAUSE, causationId: CAUSE };

export function newEvent(type: string, data: object): NewEvent {
  return { id: randomUUID(), type, data, metadata };
}

export function progressed(jobId: string, pagesDone: number): NewEvent {
  return newEvent('JobProgressed', { jobId, step: 'crawl', pagesDone, pagesKnown: 50, at: AT });
}

/** One job from submission to its end: 31 events of the usual sizes. */
export function jobEvents(jobId: string, userId: string): readonly NewEvent[] {
  const steps = JOB_STEPS.flatMap((step) => [
    newEvent('JobStepStarted', { jobId, step, startedAt: AT }),
    newEvent('JobStepEnded', { jobId, step, endedAt: AT }),
  ]);
  const bounds = { maxPages: 50, maxMs: 180_000 };
  const url = 'https://shop.example/';
  return [
    newEvent('JobSubmitted', { jobId, userId, url, host: 'shop.example', bounds, access: 'preview', submittedAt: AT }),
    newEvent('JobQueued', { jobId, queuedAt: AT }),
    newEvent('JobStarted', { jobId, attempt: 1, startedAt: AT }),
    ...steps,
    ...[5, 12, 19, 28, 36, 44, 50].map((pages) => progressed(jobId, pages)),
    newEvent('JobReportReady', {
      jobId,
      score: 71,
      pagesAudited: 50,
      findings: 120,
      highImpact: 4,
      files: ['seo-audit-report.md', 'findings.json'],
      readyAt: AT,
    }),
    newEvent('JobActionsGenerated', { jobId, count: 24, generatedAt: AT }),
    newEvent('JobCompleted', { jobId, completedAt: AT }),
  ];
}

/** Streams of one job each, `count` events in all. */
export function* jobStreams(
  count: number,
): Generator<{ readonly stream: string; readonly events: readonly NewEvent[] }> {
  for (let written = 0; written < count; ) {
    const jobId = randomUUID();
    const events = jobEvents(jobId, `user-${written % 50}`).slice(0, count - written);
    written += events.length;
    yield { stream: `job-${jobId}`, events };
  }
}

/** Fills an empty log with `count` events. */
export async function fill(store: EventStore, count: number): Promise<void> {
  let pending: Promise<unknown>[] = [];
  for (const { stream, events } of jobStreams(count)) {
    pending.push(store.append(stream, events, { expected: 'no_stream' }));
    if (pending.length < 200) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
}

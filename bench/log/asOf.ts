/** The past in a long log: one document, a page of a list, and a time as a place in the log. */
import { join } from 'node:path';
import type { EventStore, NewEvent } from '../../src/eventStore/eventStore.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../src/eventStore/storedEvents.ts';
import { allJobsThen } from '../../src/history/past/jobLists.ts';
import { type MomentDeps, momentOf } from '../../src/history/past/moment.ts';
import { openPast } from '../../src/history/past/past.ts';
import { actionItem } from '../../tests/given/analysis.ts';
import { newEvent } from '../events.ts';
import { type Figure, milliseconds, percentile, type Row, timed } from '../measure.ts';

const FULL = 1_000_000;
const SMALL = 100_000;
const EVENTS_OF_JOB = 10;
const USERS = 1_000;
const ITEMS = 40;
const ASKED = 50;
const GOAL_MS = 50;
const PAGE_GOAL_MS = 100;
const STEPS = ['discover', 'crawl', 'checks'];

const timeOf = (nth: number): string => new Date(Date.UTC(2026, 0, 1) + nth * 1_000).toISOString();
const jobOf = (nth: number): string => `bench-job-${nth}`;
const userOf = (nth: number): string => `bench-user-${nth % USERS}`;
const at = (event: NewEvent, time: string): NewEvent => ({ ...event, metadata: { ...event.metadata, at: time } });

/** Nine events of the job and one of its plan. */
function job(nth: number): readonly (readonly [stream: string, events: readonly NewEvent[]])[] {
  const [jobId, userId, time, host] = [jobOf(nth), userOf(nth), timeOf(nth), `site-${nth % 500}.example`];
  const bounds = { maxPages: 50, maxMs: 180_000 };
  const items = Array.from({ length: ITEMS }, (_, item) => actionItem(`item-${item}`));
  return [
    [
      `job-${jobId}`,
      [
        newEvent('JobSubmitted', {
          jobId,
          userId,
          url: `https://${host}/`,
          host,
          bounds,
          access: 'preview',
          submittedAt: time,
        }),
        newEvent('JobStarted', { jobId, attempt: 1, startedAt: time }),
        ...STEPS.flatMap((step) => [
          newEvent('JobStepStarted', { jobId, step, startedAt: time }),
          newEvent('JobStepEnded', { jobId, step, endedAt: time }),
        ]),
        newEvent('JobCompleted', { jobId, completedAt: time }),
      ].map((event) => at(event, time)),
    ],
    [
      `plan-${jobId}`,
      [at(newEvent('PlanGenerated', { jobId, userId, by: 'Bench', count: ITEMS, items, generatedAt: time }), time)],
    ],
  ];
}

async function fill(store: EventStore, jobs: number): Promise<void> {
  let pending: Promise<unknown>[] = [];
  for (let nth = 0; nth < jobs; nth += 1) {
    for (const [stream, events] of job(nth)) pending.push(store.append(stream, events, { expected: 'no_stream' }));
    if (pending.length < 500) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
}

/** The one question that is asked of the read models, answered without any: which job was the newest by then. */
const newestJob: MomentDeps['readModels']['find'] = async (model, { where }) => {
  const { lte } = (where?.createdAt ?? {}) as { readonly lte?: string };
  const nth = Math.floor((Date.parse(lte ?? '') - Date.parse(timeOf(0))) / 1_000);
  return { documents: model === 'jobIndex' ? [{ id: jobOf(nth), position: '', data: {} as never }] : [], cursor: null };
};

export const asOf: Figure = {
  name: 'asOf',
  async measure({ dir, full, say }) {
    const events = full ? FULL : SMALL;
    const jobs = events / EVENTS_OF_JOB;
    const store = withStoredEvents(openSqliteEventStore({ file: join(dir, 'asOf.db') }));
    try {
      await fill(store, jobs);
      say(`${events} events are written`);
      const deps = { store, readModels: { find: newestJob } };
      const signal = new AbortController().signal;
      const places = Array.from({ length: ASKED }, (_, nth) => Math.floor(((nth + 0.5) * jobs) / ASKED));
      const moments = new Map<number, NonNullable<Awaited<ReturnType<typeof momentOf>>>>();
      const asked: Record<'time' | 'job' | 'plan' | 'page', number[]> = { time: [], job: [], plan: [], page: [] };
      for (const place of places) {
        asked.time.push(
          await timed(async () => {
            const moment = await momentOf(deps, { time: timeOf(place) });
            if (moment) moments.set(place, moment);
          }),
        );
      }
      for (const [place, moment] of moments) {
        const ask = (model: string) =>
          timed(
            async () => void (await openPast({ store, position: moment.position }).documentAsOf(model, jobOf(place))),
          );
        asked.job.push(await ask('jobs'));
        asked.plan.push(await ask('boards'));
        asked.page.push(await timed(async () => void (await allJobsThen({ store, moment, signal }, { limit: 50 }))));
      }
      const row = (what: string, took: readonly number[], goal: number): Row => {
        const p95 = percentile(took, 95);
        return {
          what: `the past in ${events.toLocaleString('en-US')} events: ${what}, p95`,
          ours: milliseconds(p95),
          limit: '–',
          ratio: null,
          goal: `< ${goal} ms`,
          met: p95 < goal,
        };
      };
      return [
        row('a job', asked.job, GOAL_MS),
        row(`a plan of ${ITEMS} items`, asked.plan, GOAL_MS),
        row('a time as a place in the log', asked.time, GOAL_MS),
        row('a page of 50 jobs', asked.page, PAGE_GOAL_MS),
      ];
    } finally {
      await store.close();
    }
  },
};

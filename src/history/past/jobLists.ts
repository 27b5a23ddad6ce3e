/**
 * Past job lists. Nothing is replayed: the log lists the jobs that existed by then, newest first, and each row of a page is folded from its own streams. Jobs
 * deleted since cannot be restored; only their number is reported.
 */
import { billingStream } from '../../domain/billing/billing.ts';
import { jobStream } from '../../domain/job/job.ts';
import { planStream } from '../../domain/plan/plan.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { groupOf, type JobGroup } from '../../model/jobs.ts';
import { type JobDocument, jobs as jobsModel } from '../../projections/jobs.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import type { Moment } from './moment.ts';
import { openPast, type Past } from './past.ts';

export type JobsThen = {
  readonly jobs: readonly StoredDocument<JobDocument>[];
  /** Number of jobs on this page that have been deleted since. */
  readonly erased: number;
  readonly cursor: string | null;
};

export type JobsThenQuery = { readonly limit: number; readonly cursor?: string | undefined; readonly group?: JobGroup | undefined };

type Deps = { readonly store: EventStore; readonly moment: Moment; readonly signal: AbortSignal };

/** Maximum number of jobs examined per response, few of which may still exist or be in the requested group; the cursor continues from there. */
const MOST_LOOKED_AT = 300;
const CHUNK = 500;

/** Jobs of all users, newest first. */
export async function allJobsThen({ store, moment, signal }: Deps, { limit, cursor, group }: JobsThenQuery): Promise<JobsThen> {
  const past = openPast({ store, position: moment.position, signal });
  const found: StoredDocument<JobDocument>[] = [];
  let erased = 0;
  let after = cursor ?? moment.next;
  for (let looked = 0; looked < MOST_LOOKED_AT; ) {
    signal.throwIfAborted();
    const filter = { types: ['JobSubmitted'] };
    const page = await store.readAll({ ...(after === null ? {} : { after }), direction: 'backward', limit: limit - found.length, filter });
    const submitted = eventsOf(page.events, 'JobSubmitted').filter(({ position }) => position <= moment.position);
    const then = await rowsOf(
      past,
      submitted.map(({ data }) => data.jobId),
    );
    found.push(...then.jobs.filter(({ data }) => group === undefined || groupOf(data.status) === group));
    erased += then.erased;
    looked += page.events.length;
    after = page.next;
    if (page.end) return { jobs: found, erased, cursor: null };
    if (found.length >= limit) break;
  }
  return { jobs: found, erased, cursor: after };
}

/** One user's jobs, newest first: their bill names every job they ever had, however it was paid for. The cursor is a revision of the bill. */
export async function userJobsThen({ store, moment, signal }: Deps, userId: string, { limit, cursor }: JobsThenQuery): Promise<JobsThen> {
  const past = openPast({ store, position: moment.position, signal });
  const found: StoredDocument<JobDocument>[] = [];
  let erased = 0;
  let looked = 0;
  for await (const { position, revision, data } of reservations(store, userId, cursor, signal)) {
    if (position > moment.position) continue;
    if (found.length === limit || looked === MOST_LOOKED_AT) return { jobs: found, erased, cursor: String(revision) };
    looked += 1;
    const then = await rowsOf(past, [data.jobId]);
    found.push(...then.jobs);
    erased += then.erased;
  }
  return { jobs: found, erased, cursor: null };
}

/** Every job that a user ever had, newest first, as their bill reserved it; from a revision of the bill on. */
export async function* reservations(store: Pick<EventStore, 'read'>, userId: string, cursor: string | undefined, signal: AbortSignal) {
  for (let from = cursor === undefined ? null : BigInt(cursor); ; ) {
    signal.throwIfAborted();
    const read = await store.read(billingStream(userId), { direction: 'backward', limit: CHUNK, ...(from === null ? {} : { from }) });
    if (read.status !== 'found') return;
    yield* eventsOf(read.events, 'AnalysisReserved');
    const first = read.events.at(-1);
    if (!first || first.revision === 0n) return;
    from = first.revision - 1n;
  }
}

/** Skips the (long) reports: all they add to a job is its files, which no list shows. */
async function rowsOf(past: Past, jobIds: readonly string[]): Promise<Pick<JobsThen, 'jobs' | 'erased'>> {
  const then = await Promise.all(jobIds.map((jobId) => past.documentAsOf<JobDocument>(jobsModel.name, jobId, [jobStream(jobId), planStream(jobId)])));
  return {
    jobs: then.flatMap((each) => (each.status === 'there' ? [each.document] : [])),
    erased: then.filter(({ status }) => status === 'erased').length,
  };
}

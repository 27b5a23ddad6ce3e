/**
 * Past job lists. Nothing is replayed: the log lists the jobs that existed by then, newest first, and each row of a
 * page is folded from its own streams. Jobs deleted since cannot be restored; only their number is reported.
 */

import { billingStream } from '../../domain/billing/events.ts';
import { jobStream } from '../../domain/job/events.ts';
import { planStream } from '../../domain/plan/events.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { groupOf, type JobGroup } from '../../model/jobs.ts';
import { siteOf } from '../../projections/jobIndex.ts';
import { type JobDocument, jobs as jobsModel } from '../../projections/jobs.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import { type ListDeps, MAX_SCANNED, type PageQuery, type PageThen, pageThen } from './pages.ts';
import { openPast, type Past } from './past.ts';

type JobRow = StoredDocument<JobDocument>;

const CHUNK = 500;
/** In a search, only matching jobs are folded, so more of them are read. */
const SEARCHED = { scanned: 5_000, chunk: CHUNK } as const;

/** `site`: the beginning of the host, without `www.`. */
export type JobsThenQuery = PageQuery & { readonly group?: JobGroup | undefined; readonly site?: string | undefined };

/** Jobs of all users, newest first. */
export async function allJobsThen(deps: ListDeps, { group, site, ...query }: JobsThenQuery): Promise<PageThen<JobRow>> {
  const past = openPast({ store: deps.store, position: deps.moment.position, signal: deps.signal });
  const page = await pageThen(
    deps,
    'JobSubmitted',
    { ...query, ...(site === undefined ? {} : SEARCHED) },
    async ({ data }) => {
      if (site !== undefined && !siteOf(data.host).startsWith(site)) return null;
      const row = await jobThen(past, data.jobId);
      return row !== null && row !== 'erased' && group !== undefined && groupOf(row.data.status) !== group ? null : row;
    },
  );
  // The number of deleted jobs that match would reveal their sites.
  return site === undefined ? page : { ...page, erased: 0 };
}

/**
 * One user's jobs, newest first: their bill names every job they ever had, however it was paid for. The cursor is a
 * revision of the bill.
 */
export async function userJobsThen(
  { store, moment, signal }: ListDeps,
  userId: string,
  { limit, cursor }: PageQuery,
): Promise<PageThen<JobRow>> {
  const past = openPast({ store, position: moment.position, signal });
  const rows: JobRow[] = [];
  let erased = 0;
  let scanned = 0;
  for await (const { position, revision, data } of reservations(store, userId, cursor, signal)) {
    if (position > moment.position) continue;
    if (rows.length === limit || scanned === MAX_SCANNED) return { rows, erased, cursor: String(revision) };
    scanned += 1;
    const row = await jobThen(past, data.jobId);
    if (row === 'erased') erased += 1;
    else if (row !== null) rows.push(row);
  }
  return { rows, erased, cursor: null };
}

/** Every job that a user ever had, newest first, as their bill reserved it; from a revision of the bill on. */
export async function* reservations(
  store: Pick<EventStore, 'read'>,
  userId: string,
  cursor: string | undefined,
  signal: AbortSignal,
) {
  const pace = createPace('request');
  for (let from = cursor === undefined ? null : BigInt(cursor); ; ) {
    signal.throwIfAborted();
    const read = await store.read(billingStream(userId), {
      direction: 'backward',
      limit: CHUNK,
      ...(from === null ? {} : { from }),
    });
    if (read.status !== 'found') return;
    yield* eventsOf(read.events, 'AnalysisReserved');
    const first = read.events.at(-1);
    if (!first || first.revision === 0n) return;
    from = first.revision - 1n;
    await pace.pass();
  }
}

/** Null if it did not exist then. Skips the (long) reports: all they add to a job is its files, which no list shows. */
export async function jobThen(past: Past, jobId: string): Promise<JobRow | 'erased' | null> {
  const then = await past.documentAsOf<JobDocument>(jobsModel.name, jobId, [jobStream(jobId), planStream(jobId)]);
  if (then.status === 'there') return then.document;
  return then.status === 'erased' && (then.by === null || then.by.position > past.position) ? 'erased' : null;
}

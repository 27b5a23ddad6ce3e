/** What a user did and what was done to their data, newest first, one page at a time. */
import type { EventStore, Recorded } from '../eventStore/eventStore.ts';
import { type ActivityEvent, isActivity, listActivity } from '../projections/history/activity.ts';
import { listJobsById } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { eventsAt } from './eventsAt.ts';

export type ActivityPage = {
  readonly events: readonly Recorded<ActivityEvent>[];
  /** Sites of the jobs named in the events, for jobs that still exist. */
  readonly hostOf: ReadonlyMap<string, string>;
  readonly cursor: string | null;
};

type Sources = { readonly readModels: ReadModels; readonly store: Pick<EventStore, 'read'> };

/** Skips pages whose events have all been erased, so only the last page can be empty. */
export async function activityOf(
  { readModels, store }: Sources,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<ActivityPage> {
  let next = cursor;
  for (;;) {
    const page = await listActivity(readModels, userId, { limit, cursor: next });
    const read = await eventsAt(
      store,
      page.documents.map(({ data }) => data),
    );
    const events = read.filter(isActivity);
    if (events.length > 0 || page.cursor === null) return { events, hostOf: await hostsOf(readModels, events), cursor: page.cursor };
    next = page.cursor;
  }
}

async function hostsOf(readModels: ReadModels, events: readonly Recorded<ActivityEvent>[]): Promise<ReadonlyMap<string, string>> {
  const ids = events.flatMap((event) => {
    if (event.type === 'AdminLooked') return [event.data.thingId];
    return 'jobId' in event.data ? [event.data.jobId] : [];
  });
  return new Map((await listJobsById(readModels, [...new Set(ids)])).map(({ id, data }) => [id, data.host]));
}

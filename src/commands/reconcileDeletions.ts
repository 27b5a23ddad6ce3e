import type { JobEvent } from '../domain/job/events.ts';
import type { EventStore, Position } from '../eventStore/eventStore.ts';
import { eraseJobContent } from './deleteJob.ts';

const PAGE = 200;

type Deleted = Extract<JobEvent, { readonly type: 'JobDeleted' }>['data'];

/** Owner of deletions that broke off before the content was erased. Goes through those after `after`; pass `next` the next time. */
export async function reconcileDeletions(store: EventStore, input: { readonly after: Position }): Promise<{ readonly next: Position }> {
  for (let after = input.after; ; ) {
    const page = await store.readAll({ after, limit: PAGE, filter: { types: ['JobDeleted'] } });
    for (const event of page.events) await eraseJobContent(store, (event.data as Deleted).jobId);
    if (page.end) return { next: page.next };
    after = page.next;
  }
}

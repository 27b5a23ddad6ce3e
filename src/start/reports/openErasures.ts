/** Whether something that was deleted is still to be erased: by the marks of the followers that do it, whichever process runs them. */
import type { EventType } from '../../domain/stored/eventOf.ts';
import { type EventStore, START } from '../../eventStore/eventStore.ts';
import type { Marks } from '../../readModels/claims.ts';
import { firstAfter } from '../../reports/erasures.ts';
import { followerMark } from '../../work/runFollowers.ts';

/** By the follower: what it erases after. */
export const ERASERS: Readonly<Record<string, readonly EventType[]>> = {
  deletedJobs: ['JobDeleted', 'JobsDeleted'],
  deletedAccounts: ['AccountDeleted'],
  truncations: ['EmailRefused', 'WebhookForgotten'],
};

type Deps = { readonly store: Pick<EventStore, 'readAll' | 'head'>; readonly marks: Pick<Marks, 'read'> };

/** A mark is behind at times: what counts is whether anything that its follower takes up stands after it. */
export async function isErasing({ store, marks }: Deps): Promise<boolean> {
  const head = await store.head();
  for (const [name, types] of Object.entries(ERASERS)) {
    const mark = await marks.read(followerMark(name));
    // One ahead of the log is of another log.
    const { at } = await firstAfter(store, types, mark !== null && mark <= head ? mark : START);
    if (at !== null) return true;
  }
  return false;
}

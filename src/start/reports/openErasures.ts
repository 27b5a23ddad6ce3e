/**
 * Whether deleted data is still waiting to be erased: based on the marks of the followers that erase it, whichever
 * process runs them.
 */
import type { EventType } from '../../domain/stored/eventOf.ts';
import { type EventStore, START } from '../../eventStore/eventStore.ts';
import type { Marks } from '../../readModels/claims.ts';
import { firstAfter } from '../../reports/erasures.ts';
import { followerMark } from '../../work/runFollowers.ts';

/** Per follower: the events after which it erases data. */
export const ERASERS: Readonly<Record<string, readonly EventType[]>> = {
  deletedJobs: ['JobDeleted', 'JobsDeleted'],
  deletedAccounts: ['AccountDeleted'],
  truncations: ['EmailRefused', 'WebhookForgotten'],
};

type Deps = { readonly store: Pick<EventStore, 'readAll' | 'head'>; readonly marks: Pick<Marks, 'read'> };

/** A mark may lag behind: what matters is whether any event that its follower handles comes after it. */
export async function isErasing({ store, marks }: Deps): Promise<boolean> {
  const head = await store.head();
  for (const [name, types] of Object.entries(ERASERS)) {
    const mark = await marks.read(followerMark(name));
    // A mark ahead of the log belongs to another log.
    const { at } = await firstAfter(store, types, mark !== null && mark <= head ? mark : START);
    if (at !== null) return true;
  }
  return false;
}

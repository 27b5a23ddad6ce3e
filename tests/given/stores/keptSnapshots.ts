/** Snapshots of the toy's folds, and processes that come and go over them. */
import {
  type KeptSnapshots,
  keepSnapshots,
  type SnapshotParts,
} from '../../../src/commands/snapshots/foldSnapshots.ts';
import type { StateForm } from '../../../src/commands/snapshots/stateForm.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { type Diary, diary } from './foldToy.ts';

/** A note in a part. */
export const diaryForm: StateForm<Diary> = {
  name: 'diary',
  version: 1,
  evolve: diary.evolve,
  partsOf: ({ notes }) => notes.map((note) => ({ note })),
  read: () => {
    const notes: string[] = [];
    return {
      take: (part) => {
        const { note } = part as { readonly note: unknown };
        if (typeof note !== 'string') throw new Error('Not a note.');
        notes.push(note);
      },
      state: () => ({ notes }),
    };
  },
};

export type Process = KeptSnapshots & { readonly store: EventStore };

/** The store as seen by a freshly started process: nothing in memory. */
export function startedOn(log: EventStore, given: Pick<SnapshotParts, 'snapshots'> & Partial<SnapshotParts>): Process {
  const store: EventStore = Object.assign(Object.create(log) as EventStore, {});
  const onFailure = (error: unknown) => {
    throw error;
  };
  return { store, ...keepSnapshots({ forms: [diaryForm], onFailure, grownBy: 1, ...given, store }) };
}

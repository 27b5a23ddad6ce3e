/** The kinds of stream snapshots, and how long each may be kept. */

import { accountStream } from '../../domain/account/events.ts';
import { billingStream } from '../../domain/billing/events.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { SnapshotHead, SnapshotPlace } from '../../readModels/snapshots.ts';
import { billForm } from './billForm.ts';
import { spanOf } from './span.ts';

export type SnapshotKind = {
  readonly name: string;
  readonly version: number;
  /** Whether the folded events still exist and belong to an account. */
  readonly stands: (head: SnapshotHead) => Promise<boolean>;
};

export const snapshotKinds = (store: EventStore): readonly SnapshotKind[] => [
  {
    name: billForm.name,
    version: billForm.version,
    stands: async (head) =>
      (await hasAccount(store, head.key.slice(billingStream('').length))) && (await spanOf(store, head)) !== null,
  },
];

/** Snapshots of a user's streams: deleted with the account, even where the streams themselves stay. */
export const snapshotsOfAccount = (userId: string): readonly SnapshotPlace[] => [
  { name: billForm.name, key: billingStream(userId) },
];

/** A deleted account's stream contains only the deletion. */
async function hasAccount(store: EventStore, userId: string): Promise<boolean> {
  const read = await store.read(accountStream(userId), { direction: 'backward', limit: 1 });
  return read.status === 'found' && read.events[0]?.type !== 'AccountDeleted';
}

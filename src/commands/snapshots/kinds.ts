/** The snapshots that there are of streams, and how long one may be kept. */
import { accountStream } from '../../domain/account/account.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import type { SnapshotHead, SnapshotPlace } from '../../readModels/snapshots.ts';
import { billForm } from './billForm.ts';
import { spanOf } from './span.ts';

export type SnapshotKind = {
  readonly name: string;
  readonly version: number;
  /** Whether what it was folded from is still there, and still somebody's. */
  readonly stands: (head: SnapshotHead) => Promise<boolean>;
};

export const snapshotKinds = (store: EventStore): readonly SnapshotKind[] => [
  {
    ...{ name: billForm.name, version: billForm.version },
    stands: async (head) => (await hasAccount(store, head.key.slice(billingStream('').length))) && (await spanOf(store, head)) !== null,
  },
];

/** What is kept of a user's streams: it goes with the account, also where the streams themselves stay. */
export const snapshotsOfAccount = (userId: string): readonly SnapshotPlace[] => [{ name: billForm.name, key: billingStream(userId) }];

/** Of a deleted account the fact alone is left. */
async function hasAccount(store: EventStore, userId: string): Promise<boolean> {
  const read = await store.read(accountStream(userId), { direction: 'backward', limit: 1 });
  return read.status === 'found' && read.events[0]?.type !== 'AccountDeleted';
}

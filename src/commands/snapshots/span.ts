/** How a snapshot of a stream knows the history that it was folded from. */
import { hashOf } from '../../eventStore/chain/eventHash.ts';
import type { EventStore, RecordedEvent, Revision } from '../../eventStore/eventStore.ts';
import type { SnapshotHead } from '../../readModels/snapshots.ts';

/** Where a stream begins, and one event of it, up to which it was folded. */
export type Span = { readonly first: Revision; readonly last: RecordedEvent };

/**
 * What a snapshot has as its hash: that of the last event, which names the one before it by its hash, so that it stands for all of them; and where the
 * stream began, as what stood before that was erased.
 */
export const spanHash = ({ first, last }: Span): string => `${first}/${hashOf(last)}`;

/** Null when the stream no longer has both, or never had: it was erased, or the log is another one, such as a backup that was put back. */
export async function spanOf(store: EventStore, head: SnapshotHead): Promise<Span | null> {
  const span = await spanUpTo(store, head.key, BigInt(head.position));
  return span && spanHash(span) === head.hash ? span : null;
}

/** Null when there is no event at that revision (any more). */
export async function spanUpTo(store: EventStore, stream: string, revision: Revision): Promise<Span | null> {
  const [end, begin] = [await store.read(stream, { from: revision, limit: 1 }), await store.read(stream, { limit: 1 })];
  const [last, first] = [end, begin].map((read) => (read.status === 'found' ? read.events[0] : undefined));
  return last?.revision === revision && first ? { first: first.revision, last } : null;
}

/** Ties a snapshot of a stream to the history it was folded from. */
import { hashOf } from '../../eventStore/chain/eventHash.ts';
import type { EventStore, RecordedEvent, Revision } from '../../eventStore/eventStore.ts';
import type { SnapshotHead } from '../../readModels/snapshots.ts';

/** Where a stream begins, and the last event that was folded. */
export type Span = { readonly first: Revision; readonly last: RecordedEvent };

/**
 * A snapshot's hash: that of the last event, which covers all earlier ones through the hash chain; and where the stream
 * began, because everything before that was erased.
 */
export const spanHash = ({ first, last }: Span): string => `${first}/${hashOf(last)}`;

/** Null if the stream lacks either: it was erased, or this is another log, such as a restored backup. */
export async function spanOf(store: EventStore, head: SnapshotHead): Promise<Span | null> {
  const span = await spanUpTo(store, head.key, BigInt(head.position));
  return span && spanHash(span) === head.hash ? span : null;
}

/** Null if there is no event at that revision. */
export async function spanUpTo(store: EventStore, stream: string, revision: Revision): Promise<Span | null> {
  const [end, begin] = [await store.read(stream, { from: revision, limit: 1 }), await store.read(stream, { limit: 1 })];
  const [last, first] = [end, begin].map((read) => (read.status === 'found' ? read.events[0] : undefined));
  return last?.revision === revision && first ? { first: first.revision, last } : null;
}

/**
 * The owner of a stream and the event that deleted it: recorded when an admin views a stream, and shown for a deleted
 * one.
 */

import { jobDeletionsStream, jobStream } from '../domain/job/events.ts';
import { eventsOf } from '../domain/stored/eventOf.ts';
import { userOf } from '../domain/stored/metadata.ts';
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';
import { getJob } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { readInPages } from './readInPages.ts';
import type { StreamKind } from './streams.ts';

type Place = { readonly stream: string; readonly kind: StreamKind; readonly id: string };

/** A user id. Null if the stream has no owner, or nothing is left that names them. */
export async function ownerOf(
  { store, readModels }: { readonly store: EventStore; readonly readModels: ReadModels },
  { stream, kind, id }: Place,
): Promise<string | null> {
  if (kind.ownedBy === 'user') return id;
  if (kind.ownedBy === 'nobody') return null;
  const job = kind.ownedBy === 'job' ? await getJob(readModels, id) : null;
  if (job) return job.data.userId;
  // For a deleted job, its own stream still names the owner.
  const own = kind.ownedBy === 'job' ? jobStream(id) : stream;
  const [first, last] = [await endOf(store, own, 'forward'), await endOf(store, own, 'backward')];
  return namedIn(first) ?? namedIn(last) ?? (first && userOf(first.metadata.actor));
}

function namedIn(event: RecordedEvent | null): string | null {
  const { userId }: { readonly userId?: unknown } = { ...event?.data };
  return typeof userId === 'string' && userId !== '' ? userId : null;
}

async function endOf(
  store: EventStore,
  stream: string,
  direction: 'forward' | 'backward',
): Promise<RecordedEvent | null> {
  const read = await store.read(stream, { direction, limit: 1 });
  return (read.status === 'found' ? read.events[0] : undefined) ?? null;
}

/** The event that explains why a stream is gone. Null if it cannot be derived from the stream's name. */
export async function deletionOf(store: EventStore, { kind, id }: Place): Promise<RecordedEvent | null> {
  const end = kind.deletionIn ? await endOf(store, kind.deletionIn(id), 'backward') : null;
  return end?.type.endsWith('Deleted') ? end : null;
}

/**
 * Whether the owner deleted the job. True from the moment of deletion, even before the job's own event and the erasure.
 */
export async function isJobDeleted(store: EventStore, jobId: string, ownerId: string | null): Promise<boolean> {
  if ((await endOf(store, jobStream(jobId), 'backward'))?.type === 'JobDeleted') return true;
  const many = ownerId === null ? null : await readInPages(store, jobDeletionsStream(ownerId));
  return (
    many?.status === 'found' && eventsOf(many.events, 'JobsDeleted').some(({ data }) => data.jobIds.includes(jobId))
  );
}

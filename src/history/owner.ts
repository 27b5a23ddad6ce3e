/** Whose a stream is, and who ended it: what an admin's look is recorded by, and what is told of a stream that is gone. */
import { jobDeletionsStream } from '../domain/job/deletions.ts';
import { jobStream } from '../domain/job/job.ts';
import { eventsOf } from '../domain/stored/eventOf.ts';
import { userOf } from '../domain/stored/metadata.ts';
import type { EventStore, RecordedEvent } from '../eventStore/eventStore.ts';
import { getJob } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { StreamKind } from './streams.ts';

type Place = { readonly stream: string; readonly kind: StreamKind; readonly id: string };

/** A user's id. Null: it is nobody's, or nothing is left that says whose it was. */
export async function ownerOf(
  { store, readModels }: { readonly store: EventStore; readonly readModels: ReadModels },
  { stream, kind, id }: Place,
): Promise<string | null> {
  if (kind.ownedBy === 'user') return id;
  if (kind.ownedBy === 'nobody') return null;
  const job = kind.ownedBy === 'job' ? await getJob(readModels, id) : null;
  if (job) return job.data.userId;
  // Of a job that was deleted its own stream says it.
  const own = kind.ownedBy === 'job' ? jobStream(id) : stream;
  const [first, last] = [await endOf(store, own, 'forward'), await endOf(store, own, 'backward')];
  return namedIn(first) ?? namedIn(last) ?? (first && userOf(first.metadata.actor));
}

function namedIn(event: RecordedEvent | null): string | null {
  const { userId }: { readonly userId?: unknown } = { ...event?.data };
  return typeof userId === 'string' && userId !== '' ? userId : null;
}

async function endOf(store: EventStore, stream: string, direction: 'forward' | 'backward'): Promise<RecordedEvent | null> {
  const read = await store.read(stream, { direction, limit: 1 });
  return (read.status === 'found' ? read.events[0] : undefined) ?? null;
}

/** The event that says why a stream is not there any more. Null: none that follows from its name. */
export async function deletionOf(store: EventStore, { kind, id }: Place): Promise<RecordedEvent | null> {
  const said = kind.deletionIn ? await endOf(store, kind.deletionIn(id), 'backward') : null;
  return said?.type.endsWith('Deleted') ? said : null;
}

/** Whether a job's owner deleted it: from the moment on in which they did, also where its own event of it, and the erasure, are still to come. */
export async function isJobDeleted(store: EventStore, jobId: string, ownerId: string | null): Promise<boolean> {
  if ((await endOf(store, jobStream(jobId), 'backward'))?.type === 'JobDeleted') return true;
  const many = ownerId === null ? null : await store.read(jobDeletionsStream(ownerId));
  return many?.status === 'found' && eventsOf(many.events, 'JobsDeleted').some(({ data }) => data.jobIds.includes(jobId));
}

/** The owners of events: the user id of each, where there is one. */

import { userOf } from '../domain/stored/metadata.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { JobDocument } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';

type Names = { readonly userId?: unknown; readonly jobId?: unknown };

/** From the event itself, else its job, else its actor or the user acted for. Unordered, without duplicates. */
export async function ownersOf(
  readModels: Pick<ReadModels, 'getMany'>,
  events: readonly RecordedEvent[],
): Promise<readonly string[]> {
  const owners = new Set<string>();
  const jobs = new Set<string>();
  for (const { data, metadata } of events) {
    const { userId, jobId }: Names = data;
    const owner = typeof userId === 'string' && userId !== '' ? userId : null;
    if (owner !== null) owners.add(owner);
    else if (typeof jobId === 'string') jobs.add(jobId);
    const doer = owner === null ? userOf(metadata.actor) : null;
    if (doer !== null) owners.add(doer);
  }
  for (const { data } of await readModels.getMany<JobDocument>('jobs', [...jobs])) owners.add(data.userId);
  return [...owners];
}

/** Whose events are: of each its user's id, as far as it is anybody's. */

import { userOf } from '../domain/stored/metadata.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { JobDocument } from '../projections/jobs.ts';
import type { ReadModels } from '../readModels/readModels.ts';

type Names = { readonly userId?: unknown; readonly jobId?: unknown };

/** By the event's own word, by its job, else by who did it or for whom. In no promised order, each once. */
export async function ownersOf(readModels: Pick<ReadModels, 'getMany'>, events: readonly RecordedEvent[]): Promise<readonly string[]> {
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

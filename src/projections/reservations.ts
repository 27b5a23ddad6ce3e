/** Open reservations, yet to be consumed or given back. */
import type { ReadModels } from '../readModels/readModels.ts';
import type { JobDocument } from './jobs.ts';
import { projection } from './projection.ts';

export type ReservationDocument = { readonly jobId: string; readonly userId: string; readonly reservedAt: string };

export const reservations = projection<ReservationDocument>()({
  name: 'reservations',
  version: 1,
  indexes: [],
  keys: ({ data }) => [data.jobId],
  on: {
    AnalysisReserved: (_, { data: { jobId, userId, reservedAt } }) => ({ jobId, userId, reservedAt }),
    AnalysisConsumed: () => null,
    AnalysisReleased: () => null,
  },
});

export async function isReserved(readModels: ReadModels, jobId: string): Promise<boolean> {
  return (await readModels.get('reservations', jobId)) !== null;
}

const PAGE = 200;

/**
 * Jobs with an open reservation that the list of jobs does not show as waiting or running, by id: a page, and where to
 * continue.
 */
export async function listIdleReservations(
  readModels: ReadModels,
  cursor: string | null,
): Promise<{ readonly jobIds: readonly string[]; readonly cursor: string | null }> {
  const page = await readModels.find<ReservationDocument>('reservations', {
    limit: PAGE,
    ...(cursor === null ? {} : { cursor }),
  });
  const jobIds = page.documents.map(({ id }) => id);
  const jobs = await readModels.getMany<JobDocument>('jobs', jobIds);
  const open = new Set(jobs.filter(({ data }) => !data.finished).map(({ id }) => id));
  return { jobIds: jobIds.filter((jobId) => !open.has(jobId)), cursor: page.cursor };
}

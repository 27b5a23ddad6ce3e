/** Open reservations, yet to be consumed or given back. */
import type { BillingEvent } from '../domain/billing/events.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import type { JobDocument } from './jobs.ts';
import type { Projection } from './projection.ts';

export type ReservationDocument = { readonly jobId: string; readonly userId: string; readonly reservedAt: string };

export type ReservationEvent = Extract<BillingEvent, { readonly type: 'AnalysisReserved' | 'AnalysisConsumed' | 'AnalysisReleased' }>;

export const reservations: Projection<ReservationDocument, ReservationEvent> = {
  name: 'reservations',
  version: 1,
  indexes: [],
  handles: ['AnalysisReserved', 'AnalysisConsumed', 'AnalysisReleased'],
  keys: (event) => [event.data.jobId],
  evolve(document, event) {
    switch (event.type) {
      case 'AnalysisReserved': {
        const { jobId, userId, reservedAt } = event.data;
        return { jobId, userId, reservedAt };
      }
      case 'AnalysisConsumed':
      case 'AnalysisReleased':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export async function isReserved(readModels: ReadModels, jobId: string): Promise<boolean> {
  return (await readModels.get('reservations', jobId)) !== null;
}

const PAGE = 200;

/** Jobs with an open reservation that the list of jobs does not show as waiting or running, by id: a page, and where to continue. */
export async function listIdleReservations(
  readModels: ReadModels,
  cursor: string | null,
): Promise<{ readonly jobIds: readonly string[]; readonly cursor: string | null }> {
  const page = await readModels.find<ReservationDocument>('reservations', { limit: PAGE, ...(cursor === null ? {} : { cursor }) });
  const jobIds = page.documents.map(({ id }) => id);
  const jobs = await readModels.getMany<JobDocument>('jobs', jobIds);
  const open = new Set(jobs.filter(({ data }) => !data.finished).map(({ id }) => id));
  return { jobIds: jobIds.filter((jobId) => !open.has(jobId)), cursor: page.cursor };
}

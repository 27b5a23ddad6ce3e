/** Open reservations, among which the reconciler finds those that a crash has left behind. */
import type { BillingEvent } from '../domain/billing/events.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type ReservationDocument = { readonly jobId: string; readonly userId: string; readonly reservedAt: string };

export const reservations: Projection<ReservationDocument, BillingEvent> = {
  name: 'reservations',
  version: 1,
  indexes: [['reservedAt']],
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

export type ReservationsQuery = { readonly before: string; readonly limit: number; readonly cursor?: string };

/** Reserved before that time (UTC ISO), oldest first. */
export function listOpenReservations(readModels: ReadModels, query: ReservationsQuery): Promise<Page<ReservationDocument>> {
  const { before, limit, cursor } = query;
  return readModels.find('reservations', {
    where: { reservedAt: { lt: before } },
    sort: [['reservedAt', 'asc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

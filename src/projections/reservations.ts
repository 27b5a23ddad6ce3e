/** Open reservations, yet to be consumed or given back. */
import type { BillingEvent } from '../domain/billing/events.ts';
import type { ReadModels } from '../readModels/readModels.ts';
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

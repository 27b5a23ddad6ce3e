import { describe, expect, it } from 'vitest';
import type { BillingEvent } from '../../src/domain/billing/events.ts';
import { listOpenReservations, reservations } from '../../src/projections/reservations.ts';
import { project } from '../given/projection.ts';
import { memoryReadModels } from '../given/readModels.ts';

const userId = 'user-1';
const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const reserved = (jobId: string, minute: number): BillingEvent => ({
  type: 'AnalysisReserved',
  data: { userId, jobId, from: 'free_allowance', period: '2026-03', access: 'preview', reservedAt: at(minute) },
});

describe('the open reservations', () => {
  it('are those that neither a result nor a failure has ended', () => {
    expect(
      project(
        reservations,
        reserved('a', 1),
        reserved('b', 2),
        reserved('c', 3),
        { type: 'AnalysisConsumed', data: { userId, jobId: 'a', consumedAt: at(5) } },
        { type: 'AnalysisReleased', data: { userId, jobId: 'c', reason: 'job_failed', releasedAt: at(5) } },
      ),
    ).toEqual({ b: { jobId: 'b', userId, reservedAt: at(2) } });
  });

  it('are listed oldest first, up to a time', async () => {
    const readModels = memoryReadModels();
    await readModels.prepare(reservations, 'v1');
    await readModels.serve('reservations', 'v1');
    const checkpoint = '9'.padStart(20, '0');
    const documents = project(reservations, reserved('late', 30), reserved('second', 2), reserved('first', 1));
    const writes = Object.entries(documents).map(([id, data]) => ({ id, position: checkpoint, data }));
    await readModels.commit([{ model: 'reservations', build: 'v1', checkpoint, writes }]);
    const page = await listOpenReservations(readModels, { before: at(30), limit: 1 });
    expect(page.documents.map((document) => document.id)).toEqual(['first']);
    const next = await listOpenReservations(readModels, { before: at(30), limit: 5, cursor: page.cursor ?? '' });
    expect(next.documents.map((document) => document.id)).toEqual(['second']);
    expect(next.cursor).toBeNull();
    await readModels.close();
  });
});

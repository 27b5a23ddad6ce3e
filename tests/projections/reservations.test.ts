import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../src/domain/stored/eventOf.ts';
import { isReserved, reservations } from '../../src/projections/reservations.ts';
import { project } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const userId = 'user-1';
const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const reserved = (jobId: string, minute: number): EventOf<'AnalysisReserved'> => ({
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

  it('are found by their job', async () => {
    const readModels = memoryReadModels();
    await readModels.prepare(reservations, 'v1');
    await readModels.serve('reservations', 'v1');
    const checkpoint = '9'.padStart(20, '0');
    const writes = Object.entries(project(reservations, reserved('a', 1))).map(([id, data]) => ({
      id,
      position: checkpoint,
      data,
    }));
    await readModels.commit([{ model: 'reservations', build: 'v1', checkpoint, writes }]);
    expect([await isReserved(readModels, 'a'), await isReserved(readModels, 'b')]).toEqual([true, false]);
    await readModels.close();
  });
});

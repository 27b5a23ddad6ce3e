import { expect, it } from 'vitest';
import type { SystemState } from '../../../src/http/deps/system.ts';
import { createMetrics } from '../../../src/http/usage/metrics.ts';
import { createInstallationMeasure } from '../../../src/start/monitor/measureInstallation.ts';

const state: SystemState = {
  at: '2026-03-10T12:00:00.000Z',
  projections: { served: true, ageMs: 0, behind: {} },
  parked: { total: 2, first: null, records: [], models: {} },
  work: [],
  processes: [],
  mails: { failedToday: 7, refusedToday: 3 },
  unknownPlans: 0,
  webhooks: { failedToday: 0 },
  disk: { free: 30, total: 100 },
  backup: { at: '2026-03-10T11:00:00.000Z', events: 1, bytes: 1 },
  verified: null,
};
const OURS = /^(parked|mails|data|backup)_/;

async function rendered(read: SystemState): Promise<readonly string[]> {
  const metrics = createMetrics();
  const text = await metrics.render(
    {},
    undefined,
    await createInstallationMeasure(
      async () => read,
      () => 0,
    ).measure(),
  );
  metrics.close();
  return text.split('\n').filter((line) => OURS.test(line));
}

it('shows the figures of the system page, and nothing for missing ones', async () => {
  expect(await rendered(state)).toEqual([
    'parked_documents 2',
    'mails_failed_today 4',
    'data_disk_free_bytes 30',
    'data_disk_total_bytes 100',
    'backup_age_seconds 3600',
  ]);
  expect(await rendered({ ...state, disk: null, backup: 'elsewhere' })).toEqual([
    'parked_documents 2',
    'mails_failed_today 4',
  ]);
  expect(await rendered({ ...state, backup: null })).toContain('backup_age_seconds +Inf');
});

it('reads the state at most once a minute, and again after a failure', async () => {
  let ms = 0;
  let reads = 0;
  let fails = true;
  const { measure } = createInstallationMeasure(
    async () => {
      reads += 1;
      if (fails) throw new Error('The stores are down.');
      return state;
    },
    () => ms,
  );
  await expect(measure()).rejects.toThrow('down');
  fails = false;
  await Promise.all([measure(), measure()]);
  ms = 59_999;
  await measure();
  expect(reads).toBe(2);
  ms = 60_000;
  await measure();
  expect(reads).toBe(3);
});

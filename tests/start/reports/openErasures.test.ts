import { expect, it } from 'vitest';
import { ERASERS, isErasing } from '../../../src/start/reports/openErasures.ts';
import { createFollowers } from '../../../src/work/followers/all.ts';
import { followerMark } from '../../../src/work/runFollowers.ts';
import { product } from '../../given/commands.ts';
import { happened, logOf, write } from '../../given/reports.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';

const AT = '2026-03-10T12:00:00.000Z';
const deleted = (jobId: string) => happened(`job-${jobId}`, AT, 'JobDeleted', { jobId, userId: 'ann', deletedAt: AT });
const opened = happened('opened-2', AT, 'ReportOpened', { jobId: '2', userId: 'ann', openedAt: AT });

it('tells from their marks whether the erasing followers have processed all deletions', async () => {
  const { marks } = memoryReadModels();
  const store = await logOf(deleted('1'));
  const deps = { store, marks };
  expect(await isErasing(deps)).toBe(true);
  await marks.write(followerMark('deletedJobs'), await store.head());
  expect(await isErasing(deps)).toBe(false);
  await write(store, opened);
  expect(await isErasing(deps)).toBe(false);
  await write(store, deleted('2'));
  expect(await isErasing(deps)).toBe(true);
  await marks.write(followerMark('deletedJobs'), '9'.repeat(20));
  expect(await isErasing(deps)).toBe(true);
});

it('refers to existing followers and their event types', () => {
  const { store, context } = product();
  const readModels = memoryReadModels();
  const nobody = {
    mailer: null,
    payments: null,
    adminEmail: undefined,
    appUrl: 'https://seo.example.com',
    itemsFile: () => '',
    recordsRuns: 5,
  };
  const followers = createFollowers({ store, context, readModels, snapshots: readModels.snapshots, ...nobody });
  for (const [name, types] of Object.entries(ERASERS))
    expect([name, followers.find((follower) => follower.name === name)?.types]).toEqual([
      name,
      expect.arrayContaining([...types]),
    ]);
});

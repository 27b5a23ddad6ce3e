import { expect, it } from 'vitest';
import { JOBS_OF_AN_EVENT, jobDeletionsDecider } from '../../../src/domain/job/deletions.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(jobDeletionsDecider);
const at = '2026-03-10T12:00:00.000Z';
const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `job-${from + index}`);
const wish = (jobIds: readonly string[]) => ({ type: 'DeleteJobs', userId: 'ann', jobIds, at }) as const;
const deleted = (jobIds: readonly string[]) =>
  ({ type: 'JobsDeleted', data: { userId: 'ann', jobIds, deletedAt: at } }) as const;

it('deletes many jobs in few events, each once', () => {
  given()
    .when(wish(['a', 'b', 'a']))
    .then(deleted(['a', 'b']));
  given(deleted(['a']))
    .when(wish(['a', 'b']))
    .then(deleted(['b']));
  given(deleted(['a']))
    .when(wish(['a']))
    .thenNothing();
  given().when(wish([])).thenNothing();
  given()
    .when(wish(ids(JOBS_OF_AN_EVENT + 1)))
    .then(deleted(ids(JOBS_OF_AN_EVENT)), deleted(ids(1, JOBS_OF_AN_EVENT)));
  expect(JSON.stringify(ids(JOBS_OF_AN_EVENT).map(() => crypto.randomUUID())).length).toBeLessThan(64 * 1024);
});

import { expect, it } from 'vitest';
import type { JobEvent } from '../../src/domain/job/events.ts';
import type { ReworkEvent } from '../../src/domain/rework/events.ts';
import { reworks } from '../../src/projections/reworks.ts';
import { project } from '../given/stores/projection.ts';

const at = '2026-03-01T00:00:09.000Z';
const of = (reworkId: string, ask = 1) => ({ reworkId, ask, jobId: 'j', userId: 'ann' });
const plan: ReworkEvent = { type: 'PlanRegenerationAsked', data: { ...of('p'), askedAt: at } };
const verify: ReworkEvent = { type: 'VerificationAsked', data: { ...of('v'), actionId: 'a', askedAt: at } };
const planDone: ReworkEvent = { type: 'ReworkDone', data: { ...of('p'), attempt: 1, by: 'AI', doneAt: at } };
const givenUp = (code: string): ReworkEvent => ({
  type: 'ReworkGivenUp',
  data: { ...of('v'), code, reason: 'No.', givenUpAt: at },
});
const deleted: JobEvent = { type: 'JobDeleted', data: { jobId: 'j', userId: 'ann', deletedAt: at } };
type Taken = Parameters<typeof reworks.evolve>[1];
const folded = (...events: readonly (ReworkEvent | JobEvent)[]) => project(reworks, ...(events as readonly Taken[])).j;

const pending = {
  job_id: 'j',
  action_id: null,
  ask: 1,
  status: 'pending',
  code: null,
  error: null,
  asked_at: at,
  ended_at: null,
  by: null,
};

it('has the parts of an audit being redone, one by one', () => {
  expect(folded(plan, verify, planDone, givenUp('GIVEN_UP'))).toEqual({
    userId: 'ann',
    reworks: {
      p: { ...pending, id: 'p', what: 'actions', status: 'done', ended_at: at, by: 'AI' },
      v: {
        ...pending,
        id: 'v',
        what: 'verification',
        action_id: 'a',
        status: 'failed',
        code: 'GIVEN_UP',
        error: 'No.',
        ended_at: at,
      },
    },
  });
});

it('keeps only the latest request of a rework', () => {
  const again: ReworkEvent = { type: 'PlanRegenerationAsked', data: { ...of('p', 2), askedAt: at } };
  expect(folded(plan, planDone, again)?.reworks.p).toEqual({ ...pending, id: 'p', what: 'actions', ask: 2 });
});

it('is removed with the audit, including requests made during its deletion', () => {
  expect(folded(plan, verify, deleted, planDone, givenUp('GIVEN_UP'))).toBeUndefined();
  expect(folded(deleted, verify, givenUp('JOB_NOT_FOUND'))).toBeUndefined();
});

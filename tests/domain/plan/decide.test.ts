import { describe, expect, it } from 'vitest';
import { type PlanCommand, planDecider } from '../../../src/domain/plan/decide.ts';
import type { ActionItem, PlanEvent } from '../../../src/domain/plan/events.ts';
import { planStream } from '../../../src/domain/plan/plan.ts';
import { MAX_PART_BYTES } from '../../../src/domain/report/events.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(planDecider);
const jobId = 'job-1';
const userId = 'user-1';
const at = '2026-03-01T10:00:00.000Z';

const item = (id: string, problem = 'The page has no title.'): ActionItem => ({
  ...{ id, checkId: 'title-missing', findingIds: ['f1'], title: 'Write titles', category: 'content', impact: 'high', difficulty: 'easy' },
  ...{ timeEstimate: 15, businessValue: 'More clicks', timeToResult: '2-4 weeks', problem, solution: 'Write one.', codeExample: null },
  ...{ tags: ['title'], pages: ['https://example.com/'], evidence: [{ url: 'https://example.com/', place: 'head', value: '' }] },
});
const generate = (items: readonly ActionItem[]): PlanCommand => ({ type: 'GeneratePlan', jobId, userId, by: 'Built-in analyst', items, at });
const generated = (items: readonly ActionItem[], count = items.length): PlanEvent => ({
  type: 'PlanGenerated',
  data: { jobId, userId, by: 'Built-in analyst', count, items, generatedAt: at },
});
const plan = generated([item('i1'), item('i2')]);
const started: PlanEvent = { type: 'ActionStarted', data: { jobId, actionId: 'i1', startedAt: at } };
const completed: PlanEvent = { type: 'ActionCompleted', data: { jobId, actionId: 'i1', completedAt: at } };
const reopened: PlanEvent = { type: 'ActionReopened', data: { jobId, actionId: 'i1', reopenedAt: at } };
const deleted: PlanEvent = { type: 'PlanDeleted', data: { jobId, deletedAt: at } };

describe('generating a plan', () => {
  it('keeps the items', () =>
    given()
      .when(generate([item('i1'), item('i2')]))
      .then(plan));
  it('keeps an empty plan: the site has nothing to mend', () => given().when(generate([])).then(generated([])));
  it('keeps the first plan when asked again', () =>
    given(plan)
      .when(generate([item('other')]))
      .thenNothing());
  it('makes none after the deletion', () =>
    given(plan, deleted)
      .when(generate([item('i1')]))
      .thenRefused('PLAN_DELETED'));
  it('takes no two items of one id', () =>
    given()
      .when(generate([item('i1'), item('i1')]))
      .thenRefused('ACTION_ID_TWICE'));
  it('refuses an item that no event can hold', () =>
    given()
      .when(generate([item('i1', 'x'.repeat(MAX_PART_BYTES))]))
      .thenRefused('ACTION_TOO_LARGE'));

  it('spreads many items over events that every store takes', () => {
    const items = Array.from({ length: 40 }, (_, index) => item(`i${index}`, 'ü'.repeat(20_000)));
    const events = planDecider.decide(generate(items), planDecider.initialState());
    expect(events.map((event) => event.type)).toEqual(['PlanGenerated', ...Array<string>(events.length - 1).fill('PlanExtended')]);
    expect(events.length).toBeGreaterThan(5);
    for (const event of events) expect(Buffer.byteLength(JSON.stringify(event.data))).toBeLessThanOrEqual(MAX_PART_BYTES);
    expect(events[0]).toMatchObject({ data: { count: 40 } });
    const state = events.reduce(planDecider.evolve, planDecider.initialState());
    expect(state).toMatchObject({ status: 'generated', items });
  });
});

describe('working on an item', () => {
  const start: PlanCommand = { type: 'StartAction', actionId: 'i1', at };
  const complete: PlanCommand = { type: 'CompleteAction', actionId: 'i1', at };
  const reopen: PlanCommand = { type: 'ReopenAction', actionId: 'i1', at };

  it('goes from todo to in-progress', () => given(plan).when(start).then(started));
  it('goes from in-progress to completed', () => given(plan, started).when(complete).then(completed));
  it('goes from completed back to todo', () => given(plan, started, completed).when(reopen).then(reopened));
  it('goes round again', () => given(plan, started, completed, reopened).when(start).then(started));
  it('does nothing when it is there already', () => {
    given(plan).when(reopen).thenNothing();
    given(plan, started).when(start).thenNothing();
    given(plan, started, completed).when(complete).thenNothing();
  });
  it('takes no other way', () => {
    given(plan).when(complete).thenRefused('ACTION_NOT_MOVABLE', { from: 'todo', to: 'completed' });
    given(plan, started).when(reopen).thenRefused('ACTION_NOT_MOVABLE', { from: 'in-progress', to: 'todo' });
    given(plan, started, completed).when(start).thenRefused('ACTION_NOT_MOVABLE', { from: 'completed', to: 'in-progress' });
  });
  it('leaves the other items alone', () =>
    given(plan, started)
      .when({ ...complete, actionId: 'i2' } as PlanCommand)
      .thenRefused('ACTION_NOT_MOVABLE'));
  it('needs an item of the plan', () => {
    for (const actionId of ['i9', 'constructor', '__proto__'])
      given(plan)
        .when({ ...start, actionId } as PlanCommand)
        .thenRefused('ACTION_NOT_FOUND');
    given().when(start).thenRefused('ACTION_NOT_FOUND');
  });
  it('ends with the plan', () => given(plan, deleted).when(start).thenRefused('ACTION_NOT_FOUND'));
});

describe('deleting a plan', () => {
  it('takes it away', () => given(plan, started).when({ type: 'DeletePlan', at }).then(deleted));
  it('happens once', () => given(plan, deleted).when({ type: 'DeletePlan', at }).thenNothing());
  it('has nothing to do where none was made', () => given().when({ type: 'DeletePlan', at }).thenNothing());
});

describe('the stream of a plan', () => {
  it('is named after the job', () => expect(planStream('x')).toBe('plan-x'));
});

import { describe, expect, it } from 'vitest';
import { type PlanCommand, planDecider } from '../../../src/domain/plan/decide.ts';
import { type ActionItem, type PlanEvent, planStream, type Verification } from '../../../src/domain/plan/events.ts';
import { itemsOf } from '../../../src/domain/plan/plan.ts';
import { MAX_PART_BYTES } from '../../../src/domain/report/events.ts';
import type { ActionStatus } from '../../../src/model/actions.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(planDecider);
const jobId = 'job-1';
const userId = 'user-1';
const at = '2026-03-01T10:00:00.000Z';

const item = (id: string, problem = 'The page has no title.'): ActionItem => ({
  id,
  checkId: 'title-missing',
  findingIds: ['f1'],
  title: 'Write titles',
  category: 'content',
  impact: 'high',
  difficulty: 'easy',
  timeEstimate: 15,
  businessValue: 'More clicks',
  timeToResult: '2-4 weeks',
  problem,
  solution: 'Write one.',
  codeExample: null,
  tags: ['title'],
  pages: ['https://example.com/'],
  evidence: [{ url: 'https://example.com/', place: 'head', value: '' }],
});
const generate = (items: readonly ActionItem[]): PlanCommand => ({
  type: 'GeneratePlan',
  jobId,
  userId,
  by: 'Built-in analyst',
  items,
  at,
});
const generated = (items: readonly ActionItem[], count = items.length): PlanEvent => ({
  type: 'PlanGenerated',
  data: { jobId, userId, by: 'Built-in analyst', count, items, generatedAt: at },
});
const plan = generated([item('i1'), item('i2')]);
const started: PlanEvent = { type: 'ActionStarted', data: { jobId, actionId: 'i1', startedAt: at } };
const completed: PlanEvent = { type: 'ActionCompleted', data: { jobId, actionId: 'i1', completedAt: at } };
const reopened: PlanEvent = { type: 'ActionReopened', data: { jobId, actionId: 'i1', reopenedAt: at } };
const setBack = (to: 'todo' | 'in-progress'): PlanEvent => ({
  type: 'ActionSetBack',
  data: { jobId, actionId: 'i1', to, setBackAt: at },
});
const deleted: PlanEvent = { type: 'PlanDeleted', data: { jobId, deletedAt: at } };

describe('generating a plan', () => {
  it('records the items', () =>
    given()
      .when(generate([item('i1'), item('i2')]))
      .then(plan));
  it('records an empty plan when there is nothing to fix', () => given().when(generate([])).then(generated([])));
  it('keeps the first plan when requested again', () =>
    given(plan)
      .when(generate([item('other')]))
      .thenNothing());
  it('is refused after the deletion', () =>
    given(plan, deleted)
      .when(generate([item('i1')]))
      .thenRefused('PLAN_DELETED'));
  it('refuses two items with one id', () =>
    given()
      .when(generate([item('i1'), item('i1')]))
      .thenRefused('ACTION_ID_TWICE'));
  it('refuses an item too large for an event', () =>
    given()
      .when(generate([item('i1', 'x'.repeat(MAX_PART_BYTES))]))
      .thenRefused('ACTION_TOO_LARGE'));

  it('splits many items over events that fit every store', () => {
    const items = Array.from({ length: 40 }, (_, index) => item(`i${index}`, 'ü'.repeat(20_000)));
    const events = planDecider.decide(generate(items), planDecider.initialState());
    expect(events.map((event) => event.type)).toEqual([
      'PlanGenerated',
      ...Array<string>(events.length - 1).fill('PlanExtended'),
    ]);
    expect(events.length).toBeGreaterThan(5);
    for (const event of events)
      expect(Buffer.byteLength(JSON.stringify(event.data))).toBeLessThanOrEqual(MAX_PART_BYTES);
    expect(events[0]).toMatchObject({ data: { count: 40 } });
    const state = events.reduce(planDecider.evolve, planDecider.initialState());
    expect(state).toMatchObject({ status: 'generated', items });
  });
});

describe('working on an item', () => {
  const to = (status: ActionStatus, actionId = 'i1'): PlanCommand => ({ type: 'ChangeAction', actionId, status, at });

  it('goes from todo to in-progress', () => given(plan).when(to('in-progress')).then(started));
  it('goes from in-progress to completed', () => given(plan, started).when(to('completed')).then(completed));
  it('goes from completed back to todo', () => given(plan, started, completed).when(to('todo')).then(reopened));
  it('a completed item can be reopened and completed again', () =>
    given(plan, started, completed, reopened).when(to('in-progress')).then(started));
  it('does nothing when the status is already set', () => {
    given(plan).when(to('todo')).thenNothing();
    given(plan, started).when(to('in-progress')).thenNothing();
    given(plan, started, completed).when(to('completed')).thenNothing();
  });
  it('goes directly to a status chosen on a board', () => {
    given(plan).when(to('completed')).then(completed);
    given(plan, started).when(to('todo')).then(setBack('todo'));
    given(plan, started, completed).when(to('in-progress')).then(setBack('in-progress'));
  });
  it('leaves the other items alone', () =>
    given(plan, started, completed)
      .when(to('in-progress', 'i2'))
      .then({ type: 'ActionStarted', data: { jobId, actionId: 'i2', startedAt: at } }));
  it('requires an item of the plan', () => {
    for (const actionId of ['i9', 'constructor', '__proto__'])
      given(plan).when(to('in-progress', actionId)).thenRefused('ACTION_NOT_FOUND');
    given().when(to('in-progress')).thenRefused('ACTION_NOT_FOUND');
  });
  it('is refused after the plan is deleted', () =>
    given(plan, deleted).when(to('in-progress')).thenRefused('ACTION_NOT_FOUND'));
});

describe('notes and rating', () => {
  const change = (asked: {
    readonly notes?: string | null;
    readonly rating?: number | null;
    readonly status?: ActionStatus;
  }): PlanCommand => ({
    type: 'ChangeAction',
    actionId: 'i1',
    ...asked,
    at,
  });
  const noted = (notes: string | null): PlanEvent => ({
    type: 'ActionNoted',
    data: { jobId, actionId: 'i1', notes, notedAt: at },
  });
  const rated = (rating: number | null): PlanEvent => ({
    type: 'ActionRated',
    data: { jobId, actionId: 'i1', rating, ratedAt: at },
  });

  it('are set, changed and cleared', () => {
    given(plan)
      .when(change({ notes: 'Asked Ada.' }))
      .then(noted('Asked Ada.'));
    given(plan, noted('Asked Ada.'))
      .when(change({ notes: 'Done by Ada.' }))
      .then(noted('Done by Ada.'));
    given(plan, noted('Asked Ada.'))
      .when(change({ notes: null }))
      .then(noted(null));
    given(plan, noted('Asked Ada.'))
      .when(change({ notes: ' \n' }))
      .then(noted(null));
    given(plan)
      .when(change({ rating: 4 }))
      .then(rated(4));
    given(plan, rated(4))
      .when(change({ rating: null }))
      .then(rated(null));
  });
  it('do not change when omitted or equal', () => {
    given(plan, noted('Asked Ada.'), rated(4)).when(change({})).thenNothing();
    given(plan, noted('Asked Ada.'), rated(4))
      .when(change({ notes: 'Asked Ada.', rating: 4 }))
      .thenNothing();
    given(plan)
      .when(change({ notes: null, rating: null }))
      .thenNothing();
  });
  it('are recorded together with a status change', () =>
    given(plan, started)
      .when(change({ status: 'completed', notes: 'ok', rating: 5 }))
      .then(completed, noted('ok'), rated(5)));
  it('have limits', () => {
    given(plan)
      .when(change({ notes: 'x'.repeat(5_000) }))
      .then(noted('x'.repeat(5_000)));
    given(plan)
      .when(change({ notes: 'x'.repeat(5_001) }))
      .thenRefused('NOTES_TOO_LONG');
    for (const rating of [0, 6, 1.5, Number.NaN])
      given(plan).when(change({ rating })).thenRefused('RATING_OUT_OF_RANGE');
  });
});

describe('an optional item', () => {
  const choose = (optional: boolean, status?: ActionStatus): PlanCommand => ({
    type: 'ChangeAction',
    actionId: 'i1',
    optional,
    ...(status === undefined ? {} : { status }),
    at,
  });
  const chosen = (value: boolean): PlanEvent => ({
    type: 'ActionChosen',
    data: { jobId, actionId: 'i1', chosen: value, chosenAt: at },
  });
  const suggested: PlanEvent = {
    type: 'PlanRegenerated',
    data: {
      jobId,
      by: 'Built-in analyst',
      count: 1,
      items: [{ ...item('i1'), optional: true }],
      kept: {},
      regeneratedAt: at,
    },
  };

  it('is made a task once, and optional again', () => {
    given(plan, suggested).when(choose(false)).then(chosen(true));
    given(plan, suggested, chosen(true)).when(choose(false)).thenNothing();
    given(plan, suggested, chosen(true)).when(choose(true)).then(chosen(false));
    given(plan, suggested).when(choose(true)).thenNothing();
  });
  it('is a task once it was started, and cannot be optional while it is under way', () => {
    given(plan, suggested, started).when(choose(false)).thenNothing();
    given(plan, suggested, started).when(choose(true)).thenRefused('NOT_OPTIONAL');
    given(plan, suggested).when(choose(true, 'completed')).thenRefused('NOT_OPTIONAL');
  });
  it('is no other item', () => {
    given(plan).when(choose(false)).thenNothing();
    given(plan).when(choose(true)).thenRefused('NOT_OPTIONAL');
  });
});

describe('undoing the last status change', () => {
  const undo: PlanCommand = { type: 'UndoMove', actionId: 'i1', at };
  const undone = (status: ActionStatus, startedAt: string | null, completedAt: string | null): PlanEvent => ({
    type: 'ActionMoveUndone',
    data: { jobId, actionId: 'i1', status, startedAt, completedAt, undoneAt: at },
  });

  it('restores the previous status, with its times', () => {
    given(plan, started)
      .when(undo)
      .then(undone('todo', null, null));
    given(plan, started, completed)
      .when(undo)
      .then(undone('in-progress', at, null));
    given(plan, started, completed, reopened)
      .when(undo)
      .then(undone('completed', at, at));
    given(plan, started, completed, setBack('in-progress'))
      .when(undo)
      .then(undone('completed', at, at));
  });
  it('works after later notes', () =>
    given(plan, started, { type: 'ActionNoted', data: { jobId, actionId: 'i1', notes: 'x', notedAt: at } })
      .when(undo)
      .then(undone('todo', null, null)));
  it('undoes one step', () => {
    given(plan).when(undo).thenRefused('NOTHING_TO_UNDO');
    given(plan, started, undone('todo', null, null))
      .when(undo)
      .thenRefused('NOTHING_TO_UNDO');
    given(plan)
      .when({ ...undo, actionId: 'i9' } as PlanCommand)
      .thenRefused('ACTION_NOT_FOUND');
  });
});

describe('verifying an item', () => {
  const found = (outcome: Verification['outcome']): Verification => ({
    outcome,
    fixed: outcome === 'fixed' ? 1 : 0,
    stillThere: outcome === 'still_failing' ? 1 : 0,
    notChecked: outcome === 'not_checked' ? 1 : 0,
    stillThereAt:
      outcome === 'still_failing' ? [{ url: 'https://example.com/', place: 'head', message: 'No title.' }] : [],
    notCheckedAt:
      outcome === 'not_checked' ? [{ url: 'https://example.com/', because: 'the page could not be reached' }] : [],
  });
  const record = (outcome: Verification['outcome']): PlanCommand => ({
    type: 'RecordVerification',
    actionId: 'i1',
    verification: found(outcome),
    at,
  });
  const verified = (outcome: Verification['outcome']): PlanEvent => ({
    type: 'ActionVerified',
    data: { jobId, actionId: 'i1', ...found(outcome), verifiedAt: at },
  });

  it('completes a fixed item, whatever its status', () => {
    given(plan).when(record('fixed')).then(verified('fixed'), completed);
    given(plan, started).when(record('fixed')).then(verified('fixed'), completed);
    given(plan, started, completed).when(record('fixed')).then(verified('fixed'));
  });
  it('does not change the status of an item that still fails or was not checked', () => {
    for (const outcome of ['still_failing', 'not_checked'] as const) {
      given(plan, started).when(record(outcome)).then(verified(outcome));
      given(plan, started, completed).when(record(outcome)).then(verified(outcome));
    }
  });
  it('records the outcome of each finding, as much as an event holds', () => {
    const result = (nth: number, message: string) =>
      ({
        findingId: `f${nth}`,
        url: 'https://example.com/',
        place: 'head',
        message,
        state: 'still_there',
        because: null,
      }) as const;
    const kept = (message: string): number => {
      const results = Array.from({ length: 300 }, (_, nth) => result(nth, message));
      const command = { ...record('still_failing'), results } as PlanCommand;
      const [event] = planDecider.decide(command, [plan].reduce(planDecider.evolve, planDecider.initialState()));
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(MAX_PART_BYTES + 4_096);
      return event?.type === 'ActionVerified' ? (event.data.results?.length ?? 0) : 0;
    };
    expect(kept('No title.')).toBe(200);
    expect(kept('ü'.repeat(1_500))).toBeGreaterThan(50);
    expect(kept('ü'.repeat(1_500))).toBeLessThan(200);
  });
  it('requires the item', () => given(plan, deleted).when(record('fixed')).thenRefused('ACTION_NOT_FOUND'));
});

describe('generating the items again', () => {
  const again = (items: readonly ActionItem[]): PlanCommand =>
    ({ ...generate(items), type: 'RegeneratePlan' }) as PlanCommand;
  const regenerated = (items: readonly ActionItem[], kept: Readonly<Record<string, string>>): PlanEvent => ({
    type: 'PlanRegenerated',
    data: { jobId, by: 'Built-in analyst', count: items.length, items, kept, regeneratedAt: at },
  });
  const stateAfter = (...events: readonly PlanEvent[]) =>
    itemsOf(events.reduce(planDecider.evolve, planDecider.initialState()));

  it('keeps the progress of items that continue', () => {
    given(plan, started)
      .when(again([item('i1', 'Other words.'), item('i3')]))
      .then(regenerated([item('i1', 'Other words.'), item('i3')], { i1: 'i1' }));
    expect(
      stateAfter(plan, started, regenerated([item('i3'), item('i1', 'Other words.')], { i1: 'i1' })),
    ).toMatchObject([
      { id: 'i3', status: 'todo' },
      { id: 'i1', problem: 'Other words.', status: 'in-progress', startedAt: at },
    ]);
  });
  it('matches an item by its check and pages when its id differs', () => {
    const other = { ...item('i9'), pages: ['https://example.com/other'] };
    given(plan, started)
      .when(again([other, item('i4')]))
      .then(regenerated([other, item('i4')], { i4: 'i1' }));
    given(plan, started)
      .when(again([other]))
      .then(regenerated([other], {}));
  });
  it('passes on an item’s progress only once', () =>
    given(plan, started)
      .when(again([item('i4'), item('i5')]))
      .then(regenerated([item('i4'), item('i5')], { i4: 'i1' })));
  it('creates the plan if there was none', () =>
    given()
      .when(again([item('i1')]))
      .then(generated([item('i1')])));
  it('is refused after the deletion', () =>
    given(plan, deleted)
      .when(again([item('i1')]))
      .thenRefused('PLAN_DELETED'));
  it('keeps every event within the limits of the stores', () => {
    const items = Array.from({ length: 900 }, (_, index) =>
      item(`an-item-with-quite-a-long-name-${index}`, 'ü'.repeat(300)),
    );
    const moves = items.map(
      ({ id }): PlanEvent => ({ type: 'ActionStarted', data: { jobId, actionId: id, startedAt: at } }),
    );
    const state = [generated(items), ...moves].reduce(planDecider.evolve, planDecider.initialState());
    const events = planDecider.decide(again(items), state);
    expect(events.length).toBeGreaterThan(2);
    for (const event of events)
      expect(Buffer.byteLength(JSON.stringify(event.data))).toBeLessThanOrEqual(MAX_PART_BYTES);
    expect(itemsOf(events.reduce(planDecider.evolve, state)).every(({ status }) => status === 'in-progress')).toBe(
      true,
    );
  });
});

describe('deleting a plan', () => {
  it('deletes it', () => given(plan, started).when({ type: 'DeletePlan', at }).then(deleted));
  it('happens once', () => given(plan, deleted).when({ type: 'DeletePlan', at }).thenNothing());
  it('does nothing without a plan', () => given().when({ type: 'DeletePlan', at }).thenNothing());
});

describe('the stream of a plan', () => {
  it('is named after the job', () => expect(planStream('x')).toBe('plan-x'));
});

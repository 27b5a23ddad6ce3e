import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionItem } from '../../src/domain/plan/events.ts';
import { completion } from '../../src/reports/completion.ts';
import { actionItem } from '../given/analysis.ts';
import { noon, type PlantedLog, plantedLog, rowsOf, tablesOf } from '../given/plantedLog.ts';

let log: PlantedLog;
beforeEach(() => {
  log = plantedLog();
});

const HOUR = 60 * 60 * 1_000;
const plan = (day: string, jobId: string, items: readonly ActionItem[], count = items.length) =>
  log.add(day, 'PlanGenerated', { jobId, userId: 'ann', by: 'AI', count, items, generatedAt: noon(day) });
const complete = (time: string, jobId: string, actionId: string) =>
  log.add(time, 'ActionCompleted', { jobId, actionId, completedAt: noon(time) });
const technical = (id: string, checkId = id) => actionItem(id, { checkId, category: 'technical' });
const content = (id: string, checkId = id) => actionItem(id, { checkId, category: 'content' });

const byCategory = (asked: Parameters<typeof rowsOf>[3] = {}) => rowsOf(completion, log.events, 'by-category', asked);
const row = (items: number, completed: number, time: number | null = null, fixed = 0) => ({
  items,
  completed,
  share: completed / items,
  fixed,
  time,
});

describe('completed action items', () => {
  it('are zero without a plan', () => {
    expect(tablesOf(completion, [])).toMatchObject([{ rows: [] }, { rows: [] }]);
  });

  it('of one item have their duration', () => {
    plan('2026-03-02', 'one', [technical('a')]);
    expect(byCategory()).toEqual([
      { category: 'Technical', ...row(1, 0) },
      { category: 'All', ...row(1, 0) },
    ]);
    complete('2026-03-02T15:00:00.000Z', 'one', 'a');
    expect(byCategory()[0]).toEqual({ category: 'Technical', ...row(1, 1, 3 * HOUR) });
  });

  // By hand: technical a, b of job one and a of job two; content c of one. Done: a of one after 24 h, b after 48 h, a
  // of two after 6 h. Median of 6, 24, 48: 24.
  function history(): void {
    plan('2026-03-02', 'one', [technical('a'), technical('b', 'a'), content('c')]);
    plan('2026-04-10', 'two', [technical('a')]);
    complete('2026-03-03', 'one', 'a');
    complete('2026-03-04', 'one', 'b');
    complete('2026-04-10T18:00:00.000Z', 'two', 'a');
  }

  it('are counted by category and creation date', () => {
    history();
    expect(byCategory()).toEqual([
      { category: 'Content', ...row(1, 0) },
      { category: 'Technical', ...row(3, 3, 24 * HOUR) },
      { category: 'All', ...row(4, 3, 24 * HOUR) },
    ]);
    expect(rowsOf(completion, log.events, 'by-period')).toEqual([
      { period: '2026-03-01', ...row(3, 2, 36 * HOUR) },
      { period: '2026-04-01', ...row(1, 1, 6 * HOUR) },
    ]);
  });

  it('are limited to items of a range', () => {
    history();
    expect(byCategory({ from: '2026-04-01' }).at(-1)).toEqual({ category: 'All', ...row(1, 1, 6 * HOUR) });
    expect(byCategory({ to: '2026-03-02' })).toEqual([]);
  });

  it('have their current status: reopened, set back, restarted, undone', () => {
    plan('2026-03-02', 'one', [technical('a'), technical('b'), technical('c'), technical('d')]);
    for (const id of ['a', 'b', 'c', 'd']) complete('2026-03-03', 'one', id);
    log.add('2026-03-04', 'ActionReopened', { jobId: 'one', actionId: 'a', reopenedAt: noon('2026-03-04') });
    log.add('2026-03-04', 'ActionSetBack', {
      jobId: 'one',
      actionId: 'b',
      to: 'in-progress',
      setBackAt: noon('2026-03-04'),
    });
    log.add('2026-03-04', 'ActionStarted', { jobId: 'one', actionId: 'c', startedAt: noon('2026-03-04') });
    expect(byCategory()[0]).toMatchObject({ items: 4, completed: 1 });
    const completed = { status: 'completed', startedAt: null, completedAt: noon('2026-03-03') } as const;
    log.add('2026-03-05', 'ActionMoveUndone', {
      jobId: 'one',
      actionId: 'c',
      ...completed,
      undoneAt: noon('2026-03-05'),
    });
    log.add('2026-03-05', 'ActionMoveUndone', {
      jobId: 'one',
      actionId: 'd',
      status: 'todo',
      startedAt: null,
      completedAt: null,
      undoneAt: noon('2026-03-05'),
    });
    expect(byCategory()[0]).toEqual({ category: 'Technical', ...row(4, 1, 24 * HOUR) });
  });

  it('continue in a plan that is generated again, with their times', () => {
    plan('2026-03-02', 'one', [technical('a'), technical('b')]);
    complete('2026-03-03', 'one', 'a');
    log.add('2026-04-02', 'PlanRegenerated', {
      jobId: 'one',
      by: 'AI',
      count: 3,
      items: [technical('a2', 'a')],
      kept: { a2: 'a', c2: 'b' },
      regeneratedAt: noon('2026-04-02'),
    });
    log.add('2026-04-02', 'PlanExtended', { jobId: 'one', items: [technical('c2', 'b'), technical('new')] });
    expect(rowsOf(completion, log.events, 'by-period')).toEqual([
      { period: '2026-03-01', ...row(2, 1, 24 * HOUR) },
      { period: '2026-04-01', ...row(1, 0) },
    ]);
    complete('2026-04-02T13:00:00.000Z', 'one', 'new');
    expect(rowsOf(completion, log.events, 'by-period')[1]).toEqual({ period: '2026-04-01', ...row(1, 1, HOUR) });
  });

  it('leave out optional items until they are tasks', () => {
    const optional = (id: string) => actionItem(id, { category: 'technical', optional: true });
    const counted = () => byCategory().at(-1);
    plan('2026-03-02', 'one', [optional('a'), optional('b'), optional('c'), optional('d')]);
    expect(counted()).toBeUndefined();
    const choose = (actionId: string, chosen: boolean) =>
      log.add('2026-03-03', 'ActionChosen', { jobId: 'one', actionId, chosen, chosenAt: noon('2026-03-03') });
    choose('a', true);
    expect(counted()).toMatchObject({ items: 1, completed: 0 });
    choose('a', false);
    expect(counted()).toBeUndefined();
    complete('2026-03-03', 'one', 'a');
    log.add('2026-03-03', 'ActionNoted', { jobId: 'one', actionId: 'b', notes: 'Later', notedAt: noon('2026-03-03') });
    log.add('2026-03-03', 'ActionRated', { jobId: 'one', actionId: 'c', rating: 4, ratedAt: noon('2026-03-03') });
    expect(counted()).toMatchObject({ items: 3, completed: 1 });
    log.add('2026-04-02', 'PlanRegenerated', {
      jobId: 'one',
      by: 'AI',
      count: 2,
      items: [optional('a2'), optional('new')],
      kept: { a2: 'a' },
      regeneratedAt: noon('2026-04-02'),
    });
    expect(counted()).toMatchObject({ items: 1, completed: 1 });
  });

  it('take no time where the clock of the completing process is behind', () => {
    plan('2026-03-02', 'one', [technical('a')]);
    complete('2026-03-01', 'one', 'a');
    expect(byCategory()[0]).toEqual({ category: 'Technical', ...row(1, 1, 0) });
  });

  it('include those that were verified as fixed', () => {
    plan('2026-03-02', 'one', [technical('a'), technical('b')]);
    const verified = {
      verifiedAt: noon('2026-03-03'),
      fixed: 1,
      stillThere: 0,
      notChecked: 0,
      stillThereAt: [],
      notCheckedAt: [],
    };
    for (const actionId of ['a', 'b'])
      log.add('2026-03-03', 'ActionVerified', { jobId: 'one', actionId, outcome: 'fixed', ...verified });
    log.add('2026-03-04', 'ActionVerified', { jobId: 'one', actionId: 'b', outcome: 'still_failing', ...verified });
    expect(byCategory()[0]).toMatchObject({ completed: 0, fixed: 1 });
  });

  it('are removed with their audit', () => {
    history();
    log.add('2026-06-01', 'JobDeleted', { jobId: 'two', userId: 'ann', deletedAt: noon('2026-06-01') });
    expect(byCategory().at(-1)).toMatchObject({ items: 3 });
    log.add('2026-06-01', 'JobsDeleted', { userId: 'ann', jobIds: ['one'], deletedAt: noon('2026-06-01') });
    expect(byCategory()).toEqual([]);
  });

  it('ignore events for unknown items', () => {
    plan('2026-03-02', 'one', [technical('a')]);
    complete('2026-03-03', 'one', 'gone');
    complete('2026-03-03', 'unknown', 'a');
    expect(byCategory()[0]).toMatchObject({ items: 1, completed: 0 });
  });
});

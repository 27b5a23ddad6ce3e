import { describe, expect, it } from 'vitest';
import type { ActionItem, PlanEvent } from '../../src/domain/plan/events.ts';
import { boards } from '../../src/projections/boards.ts';
import { project } from '../given/stores/projection.ts';

const jobId = 'job-1';
const userId = 'user-1';
const at = (hour: number): string => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`;
const item = (id: string): ActionItem => ({
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
  problem: 'None.',
  solution: 'Write one.',
  codeExample: null,
  tags: [],
  pages: [],
  evidence: [],
});
const plan: readonly PlanEvent[] = [
  {
    type: 'PlanGenerated',
    data: { jobId, userId, by: 'Built-in analyst', count: 3, items: [item('i1'), item('i2')], generatedAt: at(1) },
  },
  { type: 'PlanExtended', data: { jobId, items: [item('i3')] } },
];
const started: PlanEvent = { type: 'ActionStarted', data: { jobId, actionId: 'i2', startedAt: at(2) } };
const completed: PlanEvent = { type: 'ActionCompleted', data: { jobId, actionId: 'i2', completedAt: at(3) } };
const reopened: PlanEvent = { type: 'ActionReopened', data: { jobId, actionId: 'i2', reopenedAt: at(4) } };
const todo = { status: 'todo', startedAt: null, completedAt: null };
const untouched = { ...todo, notes: null, rating: null, verification: null, chosen: false, before: null };

describe('the board of an audit', () => {
  it('has all items as todo', () => {
    expect(project(boards, ...plan)).toEqual({
      [jobId]: {
        jobId,
        userId,
        by: 'Built-in analyst',
        generatedAt: at(1),
        items: ['i1', 'i2', 'i3'].map((id) => ({ ...item(id), ...untouched })),
      },
    });
  });
  it('follows an item’s status', () => {
    const itemAfter = (...events: readonly PlanEvent[]) => project(boards, ...plan, ...events)[jobId]?.items;
    expect(itemAfter(started)?.[1]).toMatchObject({ status: 'in-progress', startedAt: at(2), completedAt: null });
    expect(itemAfter(started, completed)?.[1]).toMatchObject({
      status: 'completed',
      startedAt: at(2),
      completedAt: at(3),
    });
    expect(itemAfter(started, completed, reopened)?.[1]).toMatchObject(todo);
    expect(
      itemAfter(started, completed)
        ?.filter((one) => one.status === 'todo')
        .map((one) => one.id),
    ).toEqual(['i1', 'i3']);
  });
  it('holds notes, rating, the last verification and an item’s status before its last change', () => {
    const verification = {
      outcome: 'not_checked' as const,
      fixed: 1,
      stillThere: 0,
      notChecked: 1,
      stillThereAt: [],
      notCheckedAt: [],
    };
    const itemAfter = (...events: readonly PlanEvent[]) =>
      project(boards, ...plan, started, ...events)[jobId]?.items[1];
    expect(
      itemAfter({ type: 'ActionNoted', data: { jobId, actionId: 'i2', notes: 'Asked Ada.', notedAt: at(3) } }),
    ).toMatchObject({ notes: 'Asked Ada.' });
    expect(
      itemAfter({ type: 'ActionRated', data: { jobId, actionId: 'i2', rating: 5, ratedAt: at(3) } }),
    ).toMatchObject({ rating: 5 });
    expect(
      itemAfter({ type: 'ActionVerified', data: { jobId, actionId: 'i2', ...verification, verifiedAt: at(3) } }),
    ).toMatchObject({
      status: 'in-progress',
      verification: { at: at(3), ...verification },
    });
    const standing = { status: 'in-progress', startedAt: at(2), completedAt: null };
    expect(itemAfter(completed)).toMatchObject({ before: standing });
    const undone: PlanEvent = {
      type: 'ActionMoveUndone',
      data: { jobId, actionId: 'i2', ...standing, status: 'in-progress', undoneAt: at(4) },
    };
    expect(itemAfter(completed, undone)).toMatchObject({ ...standing, before: null });
    const setBack: PlanEvent = {
      type: 'ActionSetBack',
      data: { jobId, actionId: 'i2', to: 'in-progress', setBackAt: at(4) },
    };
    expect(itemAfter(completed, setBack)).toMatchObject(standing);
  });
  it('replaces items that were generated again, keeping the progress of those that continue', () => {
    const anew: readonly PlanEvent[] = [
      {
        type: 'PlanRegenerated',
        data: { jobId, by: 'AI', count: 2, items: [item('i1')], kept: { i7: 'i2' }, regeneratedAt: at(5) },
      },
      { type: 'PlanExtended', data: { jobId, items: [item('i7')] } },
    ];
    const board = project(boards, ...plan, started, ...anew)[jobId];
    expect(board).toMatchObject({ by: 'AI', generatedAt: at(1), userId });
    expect(board?.items).toMatchObject([
      { id: 'i1', ...untouched },
      { id: 'i7', status: 'in-progress', startedAt: at(2) },
    ]);
  });
  it('is removed with its plan or its job', () => {
    expect(project(boards, ...plan, { type: 'PlanDeleted', data: { jobId, deletedAt: at(5) } })).toEqual({});
    expect(
      project(boards, ...plan, started, { type: 'JobDeleted', data: { jobId, userId, deletedAt: at(5) } }),
    ).toEqual({});
  });
  it('does not exist without a plan', () => expect(project(boards, started)).toEqual({}));
});

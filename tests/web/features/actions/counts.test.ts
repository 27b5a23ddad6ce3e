/** The counts of items, while changes are being sent. */
import { describe, expect, it } from 'vitest';
import { itemOf } from '../../../../web/features/actions/item/actionItem.ts';
import { patchOf, statusChange, stillPending, withPending } from '../../../../web/features/actions/pending.ts';
import { filledStats, hoursText, statsOf } from '../../../../web/features/actions/progress.ts';
import { action } from '../../given/views.ts';

const AT = '2026-11-22T10:00:00.000Z';

describe('the counts', () => {
  it('come from the tasks, without what is optional', () => {
    const items = [
      action({ id: 'a', status: 'completed', time_estimate: 500 }),
      action({ id: 'b', status: 'in-progress', time_estimate: 60 }),
      action({ id: 'c', impact: 'low', time_estimate: 90 }),
      action({ id: 'd', optional: true, time_estimate: 1_000 }),
    ].map(itemOf);
    expect(statsOf(items)).toEqual({
      totalActions: 3,
      completedActions: 1,
      inProgressActions: 1,
      estimatedTimeRemaining: 150,
      highImpactCompleted: 1,
      completionPercentage: 33,
    });
    expect(statsOf([]).completionPercentage).toBe(0);
  });

  it('are 0 where an answer omits them', () => {
    expect(filledStats({ totalActions: 4 })).toEqual({
      totalActions: 4,
      completedActions: 0,
      inProgressActions: 0,
      estimatedTimeRemaining: 0,
      highImpactCompleted: 0,
      completionPercentage: 0,
    });
  });

  it('show the remaining time in whole hours', () => {
    expect([0, 29, 30, 150, 600].map(hoursText)).toEqual(['0h', '0h', '1h', '3h', '10h']);
  });
});

describe('pending changes', () => {
  const rows = [action({ id: 'a' }), action({ id: 'b' })];
  const change = statusChange('in-progress', AT);

  it('override their row and leave the others as they are', () => {
    const shown = withPending(rows, [{ key: 1, actionId: 'b', change, confirmedAt: null }]);
    expect(shown[0]).toBe(rows[0]);
    expect(shown[1]).toMatchObject({ status: 'in-progress', started_at: AT });
    expect(withPending(rows, [])).toBe(rows);
  });

  it('stay until rows arrive that were requested after the server accepted them', () => {
    const pending = [
      { key: 1, actionId: 'a', change, confirmedAt: 100 },
      { key: 2, actionId: 'b', change, confirmedAt: null },
    ];
    expect(stillPending(pending, 99)).toBe(pending);
    expect(stillPending(pending, 100).map(({ key }) => key)).toEqual([2]);
  });

  it('have the server’s timestamps', () => {
    expect(statusChange('completed', AT)).toEqual({ status: 'completed', optional: false, completed_at: AT });
    expect(statusChange('todo', AT)).toEqual({
      status: 'todo',
      optional: false,
      started_at: null,
      completed_at: null,
    });
  });

  it('from the socket patch their own fields of a row only', () => {
    const row = { id: 'a', title: 'Other', status: 'completed', completed_at: AT, notes: 'x', effectiveness_rating: 3 };
    expect(patchOf(row)).toEqual({ status: 'completed', completed_at: AT, notes: 'x', effectiveness_rating: 3 });
  });
});

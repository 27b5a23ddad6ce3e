import { describe, expect, it } from 'vitest';
import {
  type ActionItem,
  impactPercent,
  itemOf,
  type RawAction,
  resultsText,
} from '../../../../web/features/actions/item/actionItem.ts';
import { action } from '../../given/views.ts';

const CASES: readonly (readonly [what: string, raw: Omit<RawAction, 'id'>, shown: Partial<ActionItem>])[] = [
  ['the status of a row without one', {}, { status: 'todo' }],
  ['pending', { status: 'pending' }, { status: 'todo' }],
  ['a status nobody knows', { status: 'archived' }, { status: 'todo' }],
  ['a status of null', { status: null }, { status: 'todo' }],
  ['a status with another dash', { status: 'in_progress' }, { status: 'in-progress' }],
  ['completed', { status: 'completed' }, { status: 'completed' }],
  ['time_estimate', { time_estimate: 20, timeEstimate: 40 }, { minutes: 20 }],
  ['timeEstimate', { timeEstimate: 40 }, { minutes: 40 }],
  ['time_available', { time_available: 15 }, { minutes: 15 }],
  ['no time', { time_estimate: null }, { minutes: 0 }],
  ['a time that is none', { time_estimate: Number.NaN, timeEstimate: -5 }, { minutes: 0 }],
  ['business_value', { business_value: 'a', businessValue: 'b' }, { businessValue: 'a' }],
  ['businessValue', { business_value: ' ', businessValue: 'b' }, { businessValue: 'b' }],
  ['no business value', {}, { businessValue: '' }],
  ['time_to_result', { time_to_result: '1-2 weeks', timeToResult: '3 weeks' }, { results: '1-2 weeks' }],
  ['timeToResult', { timeToResult: '3 weeks' }, { results: '3 weeks' }],
  ['no results of high impact', { impact: 'high' }, { results: '2-4 weeks' }],
  ['no results of less impact', { impact: 'low', time_to_result: null }, { results: '4-6 weeks' }],
  ['results that nobody knows', { impact: 'medium', time_to_result: 'unknown' }, { results: '4-6 weeks' }],
  ['an impact in capitals', { impact: 'High' }, { impact: 'high' }],
  ['no impact', {}, { impact: '', category: '', difficulty: '' }],
  ['action_name', { action_name: 'Add titles' }, { title: 'Add titles' }],
  ['no title', {}, { title: 'Untitled action' }],
  ['implementation', { implementation: 'Do it' }, { solution: 'Do it' }],
  ['no lists', { tags: null, pages: null, evidence: null }, { tags: [], pages: [], evidence: [] }],
  [
    'no times, notes or rating',
    {},
    { startedAt: null, completedAt: null, notes: '', rating: null, code: '', verification: null },
  ],
];

describe('a row of an action item', () => {
  it.each(CASES)('displays %s', (_, raw, shown) => {
    expect(itemOf({ id: 'a', ...raw })).toMatchObject(shown);
  });

  it('is complete when nothing is missing', () => {
    expect(
      itemOf(action({ started_at: '2026-11-20T10:00:00.000Z', notes: 'mine', effectiveness_rating: 4 })),
    ).toMatchObject({
      id: 'action-1',
      title: 'Give every page a title',
      category: 'technical',
      minutes: 20,
      results: '2-4 weeks',
      startedAt: '2026-11-20T10:00:00.000Z',
      notes: 'mine',
      rating: 4,
    });
  });

  it('is the same item for the same row', () => {
    const row = action();
    expect(itemOf(row)).toBe(itemOf(row));
    expect(itemOf({ ...row })).not.toBe(itemOf(row));
  });

  it('weighs 95, 60 or 30 percent', () => {
    expect(['high', 'medium', 'low', ''].map(impactPercent)).toEqual([95, 60, 30, null]);
  });

  it('says when results show', () => {
    expect(['2-4 weeks', '4-6 weeks', 'immediate', 'after the next crawl'].map(resultsText)).toEqual([
      'within 2-4 weeks',
      'within 4-6 weeks',
      'immediately',
      'after the next crawl',
    ]);
  });
});

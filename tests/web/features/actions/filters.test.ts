import { describe, expect, it } from 'vitest';
import {
  applyFilters,
  countOf,
  filtersOf,
  NO_FILTERS,
  viewOf,
  withAction,
  withFilters,
  withView,
} from '../../../../web/features/actions/board/filters.ts';
import { itemOf } from '../../../../web/features/actions/item/actionItem.ts';
import { action } from '../../given/views.ts';

const ITEMS = [
  action({
    id: 'a',
    title: 'Give every page a Title',
    impact: 'high',
    category: 'content',
    difficulty: 'easy',
    time_estimate: 10,
  }),
  action({
    id: 'b',
    title: 'Compress images',
    impact: 'low',
    category: 'technical',
    difficulty: 'hard',
    time_estimate: 120,
    status: 'completed',
  }),
  action({
    id: 'c',
    title: 'Shorten titles',
    impact: 'medium',
    category: 'content',
    difficulty: 'medium',
    time_estimate: 30,
    status: 'in-progress',
  }),
].map(itemOf);
const found = (query: string): string[] =>
  applyFilters(ITEMS, filtersOf(new URLSearchParams(query))).map((item) => item.id);

describe('the task filter', () => {
  it.each([
    ['', 'abc'],
    ['search=TITLE', 'ac'],
    ['search=%20title%20', 'ac'],
    ['category=content', 'ac'],
    ['category=content,technical', 'abc'],
    ['impact=high,medium', 'ac'],
    ['status=todo', 'a'],
    ['status=completed,in-progress', 'bc'],
    ['difficulty=hard', 'b'],
    ['time=30', 'ac'],
    ['time=30&search=title&impact=medium', 'c'],
    ['search=nothing', ''],
    ['impact=%3Cscript%3E&time=soon&status=', 'abc'],
    ['time=-5', 'abc'],
  ])('%s matches %s', (query, ids) => {
    expect(found(query).join('')).toBe(ids);
  });

  it('is kept in the address beside other parameters', () => {
    const search = new URLSearchParams('jobId=job-1&domain=example.com&search=old&actionId=x');
    const filters = { ...NO_FILTERS, search: 'new', impacts: ['high', 'low'], timeAvailable: 60 };
    const next = withFilters(search, filters);
    expect(next.toString()).toBe('jobId=job-1&domain=example.com&search=new&actionId=x&impact=high%2Clow&time=60');
    expect(filtersOf(next)).toEqual(filters);
    expect(countOf(filters)).toBe(3);
    expect(withFilters(next, NO_FILTERS).toString()).toBe('jobId=job-1&domain=example.com&actionId=x');
  });

  it('leaves room for the view and the open task there', () => {
    const search = new URLSearchParams('jobId=job-1');
    expect(viewOf(withView(search, 'board'))).toBe('board');
    expect(withView(withView(search, 'board'), 'list').toString()).toBe('jobId=job-1');
    expect(viewOf(new URLSearchParams('view=cube'))).toBe('list');
    expect(withAction(withAction(search, 'a b'), null).toString()).toBe('jobId=job-1');
  });
});

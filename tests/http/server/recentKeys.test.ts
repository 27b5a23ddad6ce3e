import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRecentKeys, MOST_KEYS } from '../../../src/http/request/recentKeys.ts';

afterEach(() => void vi.useRealTimers());

describe('what is kept for each key', () => {
  it('is found until it is deleted', () => {
    const keys = createRecentKeys<number>(1_000);
    expect([keys.get('a'), keys.size]).toEqual([undefined, 0]);
    keys.set('a', 1);
    keys.set('b', 2);
    keys.set('a', 3);
    expect([keys.get('a'), keys.get('b'), keys.size]).toEqual([3, 2, 2]);
    keys.delete('a');
    expect([keys.get('a'), keys.size]).toEqual([undefined, 1]);
  });

  it('is never more than there is room for, and the newest half of it is always kept', () => {
    const keys = createRecentKeys<number>(1e9);
    for (let nth = 0; nth < 3.7 * MOST_KEYS; nth += 1) {
      keys.set(`key ${nth}`, nth);
      if (keys.size > MOST_KEYS) expect.fail(`${keys.size} keys are kept`);
    }
    const last = 3.7 * MOST_KEYS - 1;
    expect(keys.get(`key ${last}`)).toBe(last);
    expect(keys.get(`key ${last - MOST_KEYS / 2 + 1}`)).toBe(last - MOST_KEYS / 2 + 1);
    expect(keys.get('key 0')).toBeUndefined();
  });

  it('is no longer the oldest once it was set again', () => {
    const keys = createRecentKeys<number>(1e9, 4);
    for (const key of ['a', 'b', 'c', 'a', 'd', 'e']) keys.set(key, 1);
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => keys.get(key) === 1)).toEqual(['a', 'c', 'd', 'e']);
  });

  it('is forgotten once it means nothing any more', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const keys = createRecentKeys<number>(1_000);
    for (let nth = 0; nth < 100; nth += 1) keys.set(`key ${nth}`, nth);
    for (const key of ['later', 'later still']) {
      vi.advanceTimersByTime(1_001);
      keys.set(key, 1);
    }
    expect([keys.size, keys.get('key 99')]).toEqual([2, undefined]);
  });
});

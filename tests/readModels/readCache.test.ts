import { describe, expect, it } from 'vitest';
import { createReadCache } from '../../src/readModels/readCache.ts';

describe('the cache of what was read', () => {
  it('returns the cached result again, until it is cleared', () => {
    const cache = createReadCache();
    const answer = cache.keep('a', { id: 'a' }, 10);
    expect(cache.get('a')).toBe(answer);
    expect(cache.get('b')).toBeUndefined();
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
  });

  it('shares results that nobody can change, however deep', () => {
    const cache = createReadCache();
    const answer = cache.keep('a', { data: { tags: ['x'], place: { city: 'Oslo' } as { city: string } } }, 10);
    expect(() => answer.data.tags.push('y')).toThrow(TypeError);
    expect(() => {
      answer.data.place.city = 'Rome';
    }).toThrow(TypeError);
    expect(cache.get('a')).toEqual({ data: { tags: ['x'], place: { city: 'Oslo' } } });
  });

  it('stays within its limit: the oldest goes first, large results are not cached, a key counts once', () => {
    const cache = createReadCache(2_000, 1_000);
    for (const key of ['a', 'b', 'b', 'c']) cache.keep(key, { key }, 400);
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, true, true]);
    cache.keep('d', { key: 'd' }, 400);
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([false, true, true, true]);
    expect(cache.keep('large', { key: 'large' }, 5_000)).toEqual({ key: 'large' });
    expect(cache.get('large')).toBeUndefined();
    cache.clear();
    for (const key of ['e', 'f', 'g']) cache.keep(key, { key }, 400);
    expect(cache.get('e')).toEqual({ key: 'e' });
  });
});

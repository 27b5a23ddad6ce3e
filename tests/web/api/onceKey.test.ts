import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useOnceKey } from '../../../web/api/onceKey.ts';

/** The keys under which a form is sent: `first`, then, after that error, `then`. */
function sentAfter(error: unknown, first: unknown, then: unknown): readonly [string, string] {
  const form = renderHook((last: unknown) => useOnceKey(last), { initialProps: undefined });
  const before = form.result.current(first);
  form.rerender(error);
  return [before, form.result.current(then)];
}

const failure = (status: number) => ({ status, code: 'X', message: '' });
const site = { url: 'example.com' };

describe('what a form sends again', () => {
  it.each([0, 429, 500, 503])(
    'unchanged after %i, which leaves open whether it was done, has the same key',
    (status) => {
      const [before, after] = sentAfter(failure(status), site, { ...site });
      expect(after).toBe(before);
    },
  );

  it.each([400, 402, 409])('after it was refused with %i has a new key', (status) => {
    const [before, after] = sentAfter(failure(status), site, site);
    expect(after).not.toBe(before);
  });

  it('changed, or after it was done, has a new key', () => {
    for (const [before, after] of [
      sentAfter(failure(0), site, { url: 'example.org' }),
      sentAfter(undefined, site, site),
    ]) {
      expect(before).toMatch(/^[0-9a-f]{32}$/);
      expect(after).toMatch(/^[0-9a-f]{32}$/);
      expect(after).not.toBe(before);
    }
  });
});

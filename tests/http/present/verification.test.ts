/** The result of a verification in words. */
import { describe, expect, it } from 'vitest';
import { presentVerification } from '../../../src/http/present/verification.ts';

const VERIFIED = {
  at: '2026-03-01T12:00:00.000Z',
  outcome: 'fixed',
  fixed: 1,
  stillThere: 0,
  notChecked: 0,
  stillThereAt: [],
  notCheckedAt: [],
} as const;
const textOf = (lookedAt?: readonly string[]): string =>
  presentVerification({ ...VERIFIED, ...(lookedAt === undefined ? {} : { lookedAt: [...lookedAt] }) }).text;

describe('a verification', () => {
  it('names what was looked at, if there was code', () => {
    expect(textOf()).toBe('Fixed: rechecked, and nothing is left of it.');
    expect(textOf(['robots.txt'])).toBe('Fixed: rechecked, and nothing is left of it. Rechecked: robots.txt.');
    expect(textOf(['a', 'b', 'c', 'd', 'e'])).toMatch(/Rechecked: a, b, c and 2 more\.$/);
  });
});

/**
 * Counts skipped addresses by pattern. A site can have as many patterns as addresses, so only the most frequent ones
 * are named. Pure, but stateful.
 */
import { ascending } from '../../../model/order.ts';
import { excerpt } from '../../excerpt.ts';

export type LeftOut = {
  readonly add: (pattern: string) => void;
  readonly total: () => number;
  /** Most frequent first; the last entry may stand for all other patterns. */
  readonly found: () => readonly { readonly pattern: string; readonly count: number }[];
};

export const LEFT_OUT_LIMITS = { counted: 1000, named: 20, patternLength: 200 } as const;
export const OTHER_PATTERNS = 'many other patterns';

export function createLeftOut(): LeftOut {
  const counts = new Map<string, number>();
  let others = 0;
  let total = 0;
  return {
    add: (whole) => {
      total += 1;
      const pattern = excerpt(whole, LEFT_OUT_LIMITS.patternLength);
      const before = counts.get(pattern);
      if (before === undefined && counts.size >= LEFT_OUT_LIMITS.counted) others += 1;
      else counts.set(pattern, (before ?? 0) + 1);
    },
    total: () => total,
    found: () => {
      const all = [...counts]
        .map(([pattern, count]) => ({ pattern, count }))
        .sort((a, b) => b.count - a.count || ascending(a.pattern, b.pattern));
      const rest = all.slice(LEFT_OUT_LIMITS.named).reduce((sum, { count }) => sum + count, others);
      const named = all.slice(0, LEFT_OUT_LIMITS.named);
      return rest === 0 ? named : [...named, { pattern: OTHER_PATTERNS, count: rest }];
    },
  };
}

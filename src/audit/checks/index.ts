/** All checks, sorted by id. */
import { ALL_CHECKS } from './all.ts';
import type { Check } from './check.ts';

export const CHECKS: readonly Check[] = [...ALL_CHECKS].sort((a, b) => (a.id < b.id ? -1 : 1));

/** All checks, sorted by id. */
import { ascending } from '../../model/order.ts';
import { ALL_CHECKS } from './all.ts';
import type { Check } from './check.ts';

export const CHECKS: readonly Check[] = ALL_CHECKS.toSorted((a, b) => ascending(a.id, b.id));

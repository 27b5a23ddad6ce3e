/** All checks, sorted by id. */
import type { Check } from './check.ts';

export const CHECKS: readonly Check[] = [];

/** Shared parts of paginated lists. */
import * as z from 'zod';
import { PAGE_LIMIT_MAX } from '../../model/limits.ts';

const RANGE = `It must be a whole number from 1 to ${PAGE_LIMIT_MAX}`;

/** Default 100. */
export const PageLimit = z.coerce.number(RANGE).int(RANGE).min(1, RANGE).max(PAGE_LIMIT_MAX, RANGE).optional();
export const Cursor = z.string().max(500).optional();

/** Comma-separated column names. */
export function columnsOf(known: readonly string[]) {
  return z
    .string()
    .max(500)
    .refine((text) => text.split(',').every((name) => known.includes(name)), `It is a list of: ${known.join(', ')}`)
    .optional();
}

/** Fields shared by many stored events. */
import * as z from 'zod';

export const id = z.string().min(1);
/** UTC ISO, in the format of `toISOString`. */
export const at = z.iso.datetime();
export const count = z.int().nonnegative();

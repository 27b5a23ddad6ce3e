/** Fields that many stored events have. */
import { z } from 'zod';

export const id = z.string().min(1);
/** UTC ISO, as `toISOString` writes it. */
export const at = z.iso.datetime();
export const count = z.int().nonnegative();

/** The days that figures are asked of. */
import { z } from 'zod';

/** A UTC day. */
export const Day = z.iso.date('It is a day such as 2026-03-31').optional();

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** For `refine`: what ends before it begins holds nothing, which nobody asks for on purpose. */
export const inOrder = ({ from, to }: Days): boolean => from === undefined || to === undefined || from <= to;
export const OUT_OF_ORDER = { path: ['to'], message: '“to” is a day before “from”, so that nothing lies between them' };

/** Day ranges for figures. */
import * as z from 'zod';

/** A UTC day. */
export const Day = z.iso.date('It is a day such as 2026-03-31').optional();

type Days = { readonly from?: string | undefined; readonly to?: string | undefined };

/** For `refine`: a range that ends before it starts is always a mistake. */
export const inOrder = ({ from, to }: Days): boolean => from === undefined || to === undefined || from <= to;
export const OUT_OF_ORDER = { path: ['to'], message: '“to” is a day before “from”, so that nothing lies between them' };

/** The checks that audits make: what each finds, and how to fix it. The same for every site. */
import * as z from 'zod';
import { DIFFICULTIES } from '../../model/findings.ts';
import { Category, Impact } from './findings.ts';

/** What a check is about, in a list. */
export const CheckSummary = z.object({ id: z.string(), title: z.string(), category: Category, impact: Impact });
export type CheckSummary = z.infer<typeof CheckSummary>;

export const CheckView = CheckSummary.extend({
  /** Costs no points. */
  optional: z.boolean(),
  difficulty: z.enum(DIFFICULTIES),
  /** Minutes to fix it in one place. */
  minutes: z.number(),
  timeToResult: z.string(),
  risk: z.string(),
  gain: z.string(),
  steps: z.array(z.string()),
  example: z.object({ before: z.string().nullable(), after: z.string() }).nullable(),
  /** What it is run on: each HTML page, each answer whatever it holds, or all of them at once. */
  scope: z.enum(['page', 'answer', 'site']),
  /** Of a check that says that the site has none: each place where it looks for one. */
  looksIn: z.array(z.string()),
  /** False: it cannot fail where an audit read only a part of the site. */
  judgesParts: z.boolean(),
  source: z.string(),
  /** The Lighthouse audit with the same verdict; null: there is none. */
  lighthouse: z.string().nullable(),
});
export type CheckView = z.infer<typeof CheckView>;

export const ChecksResponse = z.object({ success: z.literal(true), data: z.array(CheckSummary) });
export type ChecksResponse = z.infer<typeof ChecksResponse>;
export const CheckResponse = z.object({ success: z.literal(true), data: CheckView });
export type CheckResponse = z.infer<typeof CheckResponse>;

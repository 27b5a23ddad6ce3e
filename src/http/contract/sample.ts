import * as z from 'zod';
import { ActionView } from './actions.ts';

/** A real audit of the built-in demo site, produced by the engine at build time. */
export const SampleView = z.object({
  site: z.string(),
  generated_at: z.string(),
  score: z.number(),
  pages: z.number().int(),
  findings: z.number().int(),
  analyst: z.string(),
  summary: z.string(),
  report: z.string(),
  actions: z.array(ActionView),
});
export type SampleView = z.infer<typeof SampleView>;

export const SampleResponse = z.object({ success: z.literal(true), data: SampleView });
export type SampleResponse = z.infer<typeof SampleResponse>;

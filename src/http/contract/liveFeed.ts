import * as z from 'zod';
import { COUNTED, OBSERVATIONS } from '../../model/liveFeed.ts';

export const LiveFeedQuery = z.object({ after: z.coerce.number().int().nonnegative().optional() });
export type LiveFeedQuery = z.infer<typeof LiveFeedQuery>;

const Count = z.number().int();

/** Of a running audit: the addresses that it read last, as plain facts of each. */
export const LiveFeedResponse = z.object({
  success: z.literal(true),
  data: z.object({
    /** Null if nothing is being read: `rows` is empty then. */
    from: z.number().nullable(),
    rows: z.array(
      z.object({
        n: z.number(),
        url: z.string(),
        status: Count.nullable(),
        ms: Count.nullable(),
        words: Count.nullable(),
        saw: z.array(z.enum(OBSERVATIONS)),
        failure: z.string().nullable(),
      }),
    ),
    counts: z.record(z.enum(COUNTED), Count),
  }),
});
export type LiveFeedResponse = z.infer<typeof LiveFeedResponse>;

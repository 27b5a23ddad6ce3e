/** What led to an event and what followed from it, across streams. */
import * as z from 'zod';
import { Cursor } from '../paging.ts';

/** The id of the event or request to start from. */
export const CausesParams = z.object({ eventId: z.string().min(1).max(100) });
export const CausesQuery = z.object({ cursor: Cursor });

export const CauseNode = z.object({
  id: z.string(),
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  stream: z.string(),
  /** Revision in the stream, from 0. */
  revision: z.number().int(),
  at: z.string(),
  /** Display name: 'ann@example.com', 'A worker'. */
  by: z.string(),
  actor: z.object({ kind: z.string(), id: z.string(), on_behalf_of: z.string().nullable() }),
  /** Id of the causing event or, if there is none, of the request. */
  cause: z.string(),
  command: z.string(),
  /** Time since its cause, in ms; null if the cause is not an event. */
  took_ms: z.number().int().nullable(),
});
export type CauseNode = z.infer<typeof CauseNode>;

export const CausesView = z.object({
  id: z.string(),
  /**
   * The origin: a request; a command from the clock or an operator; or an event deleted since. `unknown`: the event
   * predates the recording of causes.
   */
  beginning: z.object({ kind: z.enum(['request', 'command', 'deleted', 'unknown']), id: z.string() }),
  /** From the first to the direct cause of the event. */
  ancestors: z.array(CauseNode),
  /** Null if the id is not an event's, or the event was deleted since. */
  event: CauseNode.nullable(),
  /** Level by level, each in log order. */
  following: z.array(CauseNode),
  /** Deeper levels were truncated. */
  cut: z.boolean(),
});
export type CausesView = z.infer<typeof CausesView>;

/** `cursor`: for more direct consequences. */
export const CausesOfEventResponse = z.object({
  success: z.literal(true),
  data: CausesView,
  cursor: z.string().nullable(),
});
export type CausesOfEventResponse = z.infer<typeof CausesOfEventResponse>;

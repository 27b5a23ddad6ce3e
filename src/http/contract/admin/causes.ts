/** What led to an event, and what it led to, across streams. */
import { z } from 'zod';
import { components } from '../components.ts';
import { Cursor } from '../paging.ts';

/** From where an event, or a request, is looked at: its id. */
export const CausesParams = z.object({ eventId: z.string().min(1).max(100) });
export const CausesQuery = z.strictObject({ cursor: Cursor });

export const CauseNode = z.object({
  id: z.string(),
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  stream: z.string(),
  /** Its number in the stream, from 0. */
  revision: z.number().int(),
  at: z.string(),
  /** In words: 'ann@example.com', 'A worker'. */
  by: z.string(),
  actor: z.object({ kind: z.string(), id: z.string(), on_behalf_of: z.string().nullable() }),
  /** The id of the event that it follows from, else of the request. */
  cause: z.string(),
  command: z.string(),
  /** How long after its cause, ms; null: that is no event. */
  took_ms: z.number().int().nullable(),
});
export type CauseNode = z.infer<typeof CauseNode>;

export const CausesView = z.object({
  id: z.string(),
  /**
   * What began it all: a request; a command of the clock or of an operator; an event that was deleted since. `unknown`: it is from before causes were
   * kept.
   */
  beginning: z.object({ kind: z.enum(['request', 'command', 'deleted', 'unknown']), id: z.string() }),
  /** From the first to the one that the event follows from. */
  ancestors: z.array(CauseNode),
  /** Null: what is looked at is no event, or one that was deleted since. */
  event: CauseNode.nullable(),
  /** Level by level, each in the order of the log. */
  following: z.array(CauseNode),
  /** Further down more followed than is listed. */
  cut: z.boolean(),
});
export type CausesView = z.infer<typeof CausesView>;

/** `cursor`: where more begins that follows directly. */
export const CausesOfEventResponse = z.object({ success: z.literal(true), data: CausesView, cursor: z.string().nullable() });
export type CausesOfEventResponse = z.infer<typeof CausesOfEventResponse>;

components({ CauseNode, CausesOfEventResponse });

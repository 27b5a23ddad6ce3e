/**
 * Storage format, version with care. Streams: `follow-up-{followUpId}`: one event that a follower failed to process;
 * `work-{kind}-{itemId}`: operators' requests for one work item; `parked-{model}`: operators' requests for events that
 * a read model failed to apply.
 */
import * as z from 'zod';
import { at, type EventIn, id } from '../eventSchemas.ts';

export const followUpStream = (followUpId: string): string => `follow-up-${followUpId}`;
export const workStream = (kind: string, itemId: string): string => `work-${kind}-${itemId}`;
export const parkedStream = (model: string): string => `parked-${model}`;

export const FOLLOW_UP_EVENTS = {
  FollowUpSetAside: z.strictObject({
    followUpId: id,
    follower: id,
    /** Where the event is stored: its stream and revision (decimal). */
    stream: id,
    revision: id,
    eventType: z.string(),
    /** Name or code of the error; not its message, which may contain personal data. */
    error: z.string(),
    setAsideAt: at,
  }),
  FollowUpDone: z.strictObject({ followUpId: id, doneAt: at }),
  /** An operator dropped it, or its subject is gone. */
  FollowUpDropped: z.strictObject({ followUpId: id, reason: z.enum(['dropped', 'gone']), droppedAt: at }),
  /** After it was dropped, an operator had it processed after all. */
  FollowUpRequeued: z.strictObject({ followUpId: id, follower: id, requeuedAt: at }),
};
export type FollowUpEvent = EventIn<typeof FOLLOW_UP_EVENTS>;

export const WORK_EVENTS = {
  /** Earlier attempts no longer count: the item is due immediately. */
  WorkRetryAsked: z.strictObject({ kind: id, itemId: id, askedAt: at }),
  /**
   * It was given up earlier, and an operator removed it from the list of such work: nothing more is to be done about
   * it.
   */
  GivenUpWorkDropped: z.strictObject({ kind: id, itemId: id, droppedAt: at }),
};
export type WorkEvent = EventIn<typeof WORK_EVENTS>;

export const PARKED_EVENTS = {
  /** The cause is, or is hoped to be, fixed: the projector applies the missed events to the document. */
  ParkedRetryAsked: z.strictObject({
    model: id,
    /** As in the parked event's record: a document's id, or `stream:` and a stream name. */
    documentId: id,
    askedAt: at,
  }),
};
export type ParkedEvent = EventIn<typeof PARKED_EVENTS>;

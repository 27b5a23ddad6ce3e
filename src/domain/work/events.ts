/**
 * Storage format, version with care. Streams: `follow-up-{followUpId}`: one event that a follower could not take; `work-{kind}-{itemId}`: what
 * operators asked for one item of work; `parked-{model}`: what they asked for events that a read model could not take.
 */
export type FollowUpEvent =
  | {
      readonly type: 'FollowUpSetAside';
      readonly data: {
        readonly followUpId: string;
        readonly follower: string;
        /** Where the event stands: its stream and revision (decimal). */
        readonly stream: string;
        readonly revision: string;
        readonly eventType: string;
        /** Name or code of the error; no text, which may tell of people. */
        readonly error: string;
        readonly setAsideAt: string;
      };
    }
  | { readonly type: 'FollowUpDone'; readonly data: { readonly followUpId: string; readonly doneAt: string } }
  /** An operator let it be, or what it was about is gone. */
  | { readonly type: 'FollowUpDropped'; readonly data: { readonly followUpId: string; readonly reason: 'dropped' | 'gone'; readonly droppedAt: string } };

export type WorkEvent =
  /** Its earlier tries count no more: it is due at once. */
  { readonly type: 'WorkRetryAsked'; readonly data: { readonly kind: string; readonly itemId: string; readonly askedAt: string } };

export type ParkedEvent =
  /** Mended, or hoped to be: the projector applies to the document what it missed. */
  {
    readonly type: 'ParkedRetryAsked';
    readonly data: {
      readonly model: string;
      /** As the record of the parked event has it: a document's id, or `stream:` and the name of a stream. */
      readonly documentId: string;
      readonly askedAt: string;
    };
  };

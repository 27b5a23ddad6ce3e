/**
 * Storage format, version with care. Streams: `follow-up-{followUpId}`: one event that a follower failed to process; `work-{kind}-{itemId}`: operators'
 * requests for one work item; `parked-{model}`: operators' requests for events that a read model failed to apply.
 */
export type FollowUpEvent =
  | {
      readonly type: 'FollowUpSetAside';
      readonly data: {
        readonly followUpId: string;
        readonly follower: string;
        /** Where the event is stored: its stream and revision (decimal). */
        readonly stream: string;
        readonly revision: string;
        readonly eventType: string;
        /** Name or code of the error; not its message, which may contain personal data. */
        readonly error: string;
        readonly setAsideAt: string;
      };
    }
  | { readonly type: 'FollowUpDone'; readonly data: { readonly followUpId: string; readonly doneAt: string } }
  /** An operator dropped it, or its subject is gone. */
  | { readonly type: 'FollowUpDropped'; readonly data: { readonly followUpId: string; readonly reason: 'dropped' | 'gone'; readonly droppedAt: string } }
  /** After it was dropped, an operator had it processed after all. */
  | { readonly type: 'FollowUpRequeued'; readonly data: { readonly followUpId: string; readonly follower: string; readonly requeuedAt: string } };

export type WorkEvent =
  /** Earlier attempts no longer count: the item is due immediately. */
  | { readonly type: 'WorkRetryAsked'; readonly data: { readonly kind: string; readonly itemId: string; readonly askedAt: string } }
  /** It was given up earlier, and an operator removed it from the list of such work: nothing more is to be done about it. */
  | { readonly type: 'GivenUpWorkDropped'; readonly data: { readonly kind: string; readonly itemId: string; readonly droppedAt: string } };

export type ParkedEvent =
  /** The cause is, or is hoped to be, fixed: the projector applies the missed events to the document. */
  {
    readonly type: 'ParkedRetryAsked';
    readonly data: {
      readonly model: string;
      /** As in the parked event's record: a document's id, or `stream:` and a stream name. */
      readonly documentId: string;
      readonly askedAt: string;
    };
  };

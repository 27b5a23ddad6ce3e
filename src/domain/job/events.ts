/** Storage format, version with care. Stream: `job-{jobId}`. */
import type { JobAccess } from '../../model/jobs.ts';
import type { ModelUse } from '../../model/modelUse.ts';

/** The steps of an audit, in order. Each has a start and an end event, so that a restarted worker resumes after the last ended step. */
export const JOB_STEPS = ['discover', 'crawl', 'checks', 'evidence', 'report', 'recommendations', 'summary', 'actions', 'parse_actions'] as const;
export type JobStep = (typeof JOB_STEPS)[number];

export type JobBounds = { readonly maxPages: number; readonly maxMs: number };

/** Events of earlier versions do not name the owner. */
type EndOfJob = { readonly jobId: string; readonly userId?: string };

export type JobEvent =
  | {
      readonly type: 'JobSubmitted';
      readonly data: {
        readonly jobId: string;
        readonly userId: string;
        /** Normalized absolute http(s) URL. */
        readonly url: string;
        readonly host: string;
        readonly bounds: JobBounds;
        readonly access: JobAccess;
        readonly submittedAt: string;
        readonly batchId?: string;
        /** The submitted text had no scheme: https was assumed, and http is acceptable. */
        readonly schemeGuessed?: true;
        /** Rank of the owner's plan at that time, if above the default; among waiting jobs, higher goes first. */
        readonly rank?: number;
        /** The failed job that an operator had run again as this one. Earlier versions did not record it. */
        readonly retryOf?: string;
      };
    }
  | { readonly type: 'JobQueued'; readonly data: { readonly jobId: string; readonly queuedAt: string } }
  /** Once per attempt: a worker started or resumed it. */
  | { readonly type: 'JobStarted'; readonly data: { readonly jobId: string; readonly attempt: number; readonly startedAt: string } }
  | { readonly type: 'JobStepStarted'; readonly data: { readonly jobId: string; readonly step: JobStep; readonly startedAt: string } }
  | { readonly type: 'JobStepEnded'; readonly data: { readonly jobId: string; readonly step: JobStep; readonly endedAt: string; readonly note?: string } }
  /** What a step came to, written with its end. Progress before that is not logged. Old logs have several per step, up to one per second. */
  | {
      readonly type: 'JobProgressed';
      readonly data: { readonly jobId: string; readonly step: JobStep; readonly pagesDone: number; readonly pagesKnown: number; readonly at: string };
    }
  | {
      readonly type: 'JobReportReady';
      readonly data: {
        readonly jobId: string;
        readonly score: number;
        readonly pagesAudited: number;
        readonly findings: number;
        readonly highImpact: number;
        readonly files: readonly string[];
        readonly readyAt: string;
      };
    }
  | {
      readonly type: 'JobSummaryWritten';
      readonly data: { readonly jobId: string; readonly by: string; readonly fallback: boolean; readonly writtenAt: string };
    }
  /** A language model was called for a text: appended together with the text's own event, even if the built-in rules wrote it in the end. */
  | { readonly type: 'ModelAsked'; readonly data: ModelUse & { readonly jobId: string; readonly recordedAt: string } }
  | { readonly type: 'JobActionsGenerated'; readonly data: { readonly jobId: string; readonly count: number; readonly generatedAt: string } }
  | { readonly type: 'JobCompleted'; readonly data: EndOfJob & { readonly completedAt: string } }
  /** A limit was reached before the crawl was complete: the result is valid and states what it covers. */
  | { readonly type: 'JobPartiallyCompleted'; readonly data: EndOfJob & { readonly reason: string; readonly completedAt: string } }
  /** The language model failed and the built-in rules filled in. */
  | { readonly type: 'JobPartiallySucceeded'; readonly data: EndOfJob & { readonly reason: string; readonly completedAt: string } }
  | { readonly type: 'JobCancelled'; readonly data: EndOfJob & { readonly by: string; readonly cancelledAt: string } }
  | { readonly type: 'JobFailed'; readonly data: EndOfJob & { readonly code: string; readonly reason: string; readonly failedAt: string } }
  /** A preview was unlocked: it was paid for, see `UnlockPaid` in its owner's bill. */
  | { readonly type: 'JobUnlocked'; readonly data: { readonly jobId: string; readonly userId: string; readonly unlockedAt: string } }
  | { readonly type: 'JobDeleted'; readonly data: { readonly jobId: string; readonly userId: string; readonly deletedAt: string } };

/** Storage format, version with care. Stream: `job-deletions-{userId}`. Each job gets its own `JobDeleted` soon after. */
export type JobDeletionsEvent = {
  readonly type: 'JobsDeleted';
  readonly data: { readonly userId: string; readonly jobIds: readonly string[]; readonly deletedAt: string };
};

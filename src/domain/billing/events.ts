/**
 * Storage format, version with care. Stream: `billing-{userId}`: ONE stream for the free allowance and, later, funds, credits and
 * subscription, so that nothing can be spent twice.
 */

/** What an analysis was taken from; admins pay nothing. Funds, credits and subscriptions join here. */
export type PaidFrom = 'free_allowance' | 'admin';

export type BillingEvent =
  | {
      readonly type: 'AnalysisReserved';
      readonly data: {
        readonly userId: string;
        readonly jobId: string;
        /** Shared by all that one submission reserved, of which a `JobSubmitted` of several has it too. Old events lack it. */
        readonly batchId?: string;
        readonly from: PaidFrom;
        /** Calendar month in UTC, `2026-11`, whose allowance it takes. */
        readonly period: string;
        readonly access: 'full' | 'preview';
        readonly reservedAt: string;
      };
    }
  /** What accounts that had the same address before, and were deleted, had used of the month in which this one signed up. Once a month. */
  | {
      readonly type: 'AllowanceCarriedOver';
      readonly data: { readonly userId: string; readonly period: string; readonly used: number; readonly carriedAt: string };
    }
  | { readonly type: 'AnalysisConsumed'; readonly data: { readonly userId: string; readonly jobId: string; readonly consumedAt: string } }
  | {
      readonly type: 'AnalysisReleased';
      readonly data: {
        readonly userId: string;
        readonly jobId: string;
        readonly reason: 'job_failed' | 'job_cancelled' | 'job_missing' | 'submission_failed';
        /** What is given back, as its reservation has it. Old events, whose reservations have no `batchId`, lack both. */
        readonly from?: PaidFrom;
        readonly period?: string;
        /** A worker had begun the job that was cancelled: such releases are counted. */
        readonly begun?: true;
        readonly releasedAt: string;
      };
    };

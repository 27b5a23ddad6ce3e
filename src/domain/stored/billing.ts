/** Stored events of what is taken from allowances. */
import { z } from 'zod';
import type { BillingEvent } from '../billing/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const from = z.enum(['free_allowance', 'admin']);
const OF_JOB = ['userId', 'jobId'] as const;

export const BILLING_TYPES = {
  AnalysisReserved: stored(
    z.strictObject({
      userId: id,
      jobId: id,
      batchId: id.exactOptional(),
      from,
      period: z.string(),
      access: z.enum(['full', 'preview']),
      reservedAt: at,
    }),
    OF_JOB,
  ),
  AllowanceCarriedOver: stored(z.strictObject({ userId: id, period: z.string(), used: count, carriedAt: at }), ['userId']),
  AnalysisConsumed: stored(z.strictObject({ userId: id, jobId: id, consumedAt: at }), OF_JOB),
  AnalysisReleased: stored(
    z.strictObject({
      userId: id,
      jobId: id,
      reason: z.enum(['job_failed', 'job_cancelled', 'job_missing', 'submission_failed']),
      from: from.exactOptional(),
      period: z.string().exactOptional(),
      begun: z.literal(true).exactOptional(),
      releasedAt: at,
    }),
    OF_JOB,
  ),
} satisfies StoredTypes<BillingEvent>;

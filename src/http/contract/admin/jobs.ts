/** Jobs of all users, for admins. */
import * as z from 'zod';
import { JOB_ACCESSES, JOB_GROUPS } from '../../../model/jobs.ts';
import { EMAIL_MAX_LENGTH } from '../../../model/limits.ts';
import { CausesResponse } from '../findings.ts';
import { JobView } from '../jobs.ts';
import { Cursor, PageLimit } from '../paging.ts';

export const ADMIN_JOB_ORDERS = ['date', 'website', 'status'] as const;
const Order = z.enum(ADMIN_JOB_ORDERS);

export const AllJobsQuery = z.object({
  status: z.enum(['all', ...JOB_GROUPS]).optional(),
  /** Default `date`. Ignored in a search, which has its own order. */
  sort: Order.optional(),
  /** Default `desc`: newest first. */
  order: z.enum(['asc', 'desc']).optional(),
  /**
   * With an @: a prefix of the owner's email, ordered by date. Otherwise: a prefix of the host, ignoring `www.`,
   * ordered by `website`.
   */
  search: z.string().trim().max(EMAIL_MAX_LENGTH).optional(),
  limit: PageLimit,
  cursor: Cursor,
});
export type AllJobsQuery = z.infer<typeof AllJobsQuery>;

/** A job with its owner. While queued, it has no estimated start. */
export const AdminJobView = JobView.extend({
  /** Null if the account is not known yet, or deleted. */
  userEmail: z.string().nullable(),
  user_email: z.string().nullable(),
});
export type AdminJobView = z.infer<typeof AdminJobView>;

export const AllJobsResponse = z.object({
  success: z.literal(true),
  data: z.array(AdminJobView),
  cursor: z.string().nullable(),
  /** Everything up to this position is included; subscribe to the channel `admin:jobs` from here. */
  position: z.string(),
  /** Number of jobs under way, regardless of the filter. */
  under_way: z.number().int(),
  /** How the rows are ordered. */
  sorted: z.object({ by: Order, descending: z.boolean() }),
  /** More accounts match the email than were searched. */
  truncated: z.boolean(),
});
export type AllJobsResponse = z.infer<typeof AllJobsResponse>;

const Paid = z.object({
  source: z.enum(['admin', 'plan', 'credits', 'funds', 'free_allowance']),
  /** For funds, in the smallest currency unit. */
  amount: z.number().int().nullable(),
  currency: z.string().nullable(),
});

/** Pending work of the job. */
const Work = z.object({
  kind: z.string(),
  opened_at: z.string(),
  /** Earliest time of the next attempt. */
  due_at: z.string(),
  /** Failed attempts. */
  attempts: z.number().int(),
  failure: z.string().nullable(),
  /** Number of processes that died while working on it. */
  vanishings: z.number().int(),
  /** The process working on it. */
  holder: z.string().nullable(),
});

export const AdminJobResponse = z.object({
  success: z.literal(true),
  data: z.object({
    job: AdminJobView,
    /** Whether it belongs to the admin. */
    own: z.boolean(),
    owner: z.object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() }),
    can: z.object({ cancel: z.boolean(), retry: z.boolean() }),
    /** Null if the bill has no record of it. */
    paid: Paid.extend({
      access: z.enum(JOB_ACCESSES),
      state: z.enum(['reserved', 'consumed', 'released']),
      /** The later payment that unlocked it in full. */
      unlock: Paid.nullable(),
    }).nullable(),
    work: z.array(Work),
    shares: z.object({ total: z.number().int(), revoked: z.number().int() }),
    /** Whether its results or files can be read. */
    report: z.boolean(),
  }),
});
export type AdminJobResponse = z.infer<typeof AdminJobResponse>;

export const JobEventsQuery = z.object({
  limit: PageLimit,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

export const JobEventView = z.object({
  /** Revision in the job's history, from 0. */
  number: z.number().int(),
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  at: z.string(),
  /** Display name of the actor. */
  by: z.string(),
  /** As stored, without secrets. */
  data: z.record(z.string(), z.unknown()),
});
export type JobEventView = z.infer<typeof JobEventView>;
export const JobEventsResponse = z.object({
  success: z.literal(true),
  data: z.array(JobEventView),
  cursor: z.string().nullable(),
});
export type JobEventsResponse = z.infer<typeof JobEventsResponse>;

/** As its owner sees it. `found`: null if nothing can be read yet. */
export const AdminReportResponse = z.object({
  success: z.literal(true),
  data: z.object({ files: z.array(z.string()), found: CausesResponse.shape.data.nullable() }),
});
export type AdminReportResponse = z.infer<typeof AdminReportResponse>;

export const AdminJobChangedResponse = z.object({ success: z.literal(true), data: AdminJobView });
export type AdminJobChangedResponse = z.infer<typeof AdminJobChangedResponse>;

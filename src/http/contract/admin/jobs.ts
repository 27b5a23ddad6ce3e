/** Everybody's jobs, for admins. */
import { z } from 'zod';
import { JOB_ACCESSES, JOB_GROUPS } from '../../../model/jobs.ts';
import { EMAIL_MAX_LENGTH } from '../../../model/limits.ts';
import { components } from '../components.ts';
import { CausesResponse } from '../findings.ts';
import { JobView } from '../jobs.ts';
import { Cursor, PageLimit } from '../paging.ts';

export const ADMIN_JOB_ORDERS = ['date', 'website', 'status'] as const;
const Order = z.enum(ADMIN_JOB_ORDERS);

export const AllJobsQuery = z.strictObject({
  status: z.enum(['all', ...JOB_GROUPS]).optional(),
  /** Default `date`. What is searched for has an order of its own. */
  sort: Order.optional(),
  /** Default `desc`: the newest first. */
  order: z.enum(['asc', 'desc']).optional(),
  /** With an @: what its owner's email begins with, ordered by date. Without: what its host begins with, `www.` aside, ordered by website. */
  search: z.string().trim().max(EMAIL_MAX_LENGTH).optional(),
  limit: PageLimit,
  cursor: Cursor,
});
export type AllJobsQuery = z.infer<typeof AllJobsQuery>;

/** A job with whose it is. While it waits it does not say when its turn comes. */
export const AdminJobView = JobView.extend({
  /** Null while the account is not known yet, and once it is gone. */
  userEmail: z.string().nullable(),
  user_email: z.string().nullable(),
});
export type AdminJobView = z.infer<typeof AdminJobView>;

export const AllJobsResponse = z.object({
  success: z.literal(true),
  data: z.array(AdminJobView),
  cursor: z.string().nullable(),
  /** Everything up to here is in this page: from where a subscription to the channel `admin:jobs` goes on. */
  position: z.string(),
  /** Jobs under way, whatever is asked for. */
  under_way: z.number().int(),
  /** How the rows are ordered. */
  sorted: z.object({ by: Order, descending: z.boolean() }),
  /** More accounts have such an email than are looked at. */
  truncated: z.boolean(),
});
export type AllJobsResponse = z.infer<typeof AllJobsResponse>;

const Paid = z.object({
  source: z.enum(['admin', 'plan', 'credits', 'funds', 'free_allowance']),
  /** Of funds, in the smallest unit of their currency. */
  amount: z.number().int().nullable(),
  currency: z.string().nullable(),
});

/** A piece of work that the job still waits for. */
const Work = z.object({
  kind: z.string(),
  opened_at: z.string(),
  /** When the next try may begin. */
  due_at: z.string(),
  /** Tries that failed. */
  attempts: z.number().int(),
  failure: z.string().nullable(),
  /** Processes that had it in hand and vanished. */
  vanishings: z.number().int(),
  /** The process that has it in hand. */
  holder: z.string().nullable(),
});

export const AdminJobResponse = z.object({
  success: z.literal(true),
  data: z.object({
    job: AdminJobView,
    /** It is the admin's own. */
    own: z.boolean(),
    owner: z.object({ id: z.string(), email: z.string().nullable(), name: z.string().nullable() }),
    can: z.object({ cancel: z.boolean(), retry: z.boolean() }),
    /** Null where the bill knows nothing of it. */
    paid: Paid.extend({
      access: z.enum(JOB_ACCESSES),
      state: z.enum(['reserved', 'consumed', 'released']),
      /** What showed it in full later. */
      unlock: Paid.nullable(),
    }).nullable(),
    work: z.array(Work),
    shares: z.object({ total: z.number().int(), revoked: z.number().int() }),
    /** What was found, or its files, can be read. */
    report: z.boolean(),
  }),
});
export type AdminJobResponse = z.infer<typeof AdminJobResponse>;

export const JobEventsQuery = z.strictObject({
  limit: PageLimit,
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

export const JobEventView = z.object({
  /** Its place in the job's history, from 0. */
  number: z.number().int(),
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  at: z.string(),
  /** Who did it. */
  by: z.string(),
  /** As it is stored, without what is secret. */
  data: z.record(z.string(), z.unknown()),
});
export type JobEventView = z.infer<typeof JobEventView>;
export const JobEventsResponse = z.object({ success: z.literal(true), data: z.array(JobEventView), cursor: z.string().nullable() });
export type JobEventsResponse = z.infer<typeof JobEventsResponse>;

/** As its owner sees it. `found`: null while nothing can be read. */
export const AdminReportResponse = z.object({
  success: z.literal(true),
  data: z.object({ files: z.array(z.string()), found: CausesResponse.shape.data.nullable() }),
});
export type AdminReportResponse = z.infer<typeof AdminReportResponse>;

export const AdminJobChangedResponse = z.object({ success: z.literal(true), data: AdminJobView });
export type AdminJobChangedResponse = z.infer<typeof AdminJobChangedResponse>;

components({ AdminJobChangedResponse, AdminJobResponse, AdminJobView, AdminReportResponse, AllJobsResponse, JobEventView, JobEventsResponse });

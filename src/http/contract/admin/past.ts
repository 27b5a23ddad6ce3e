/** The past: read models as they stood at a moment, and what changed between two. */
import { z } from 'zod';
import { JOB_GROUPS } from '../../../model/jobs.ts';
import { ActionView } from '../actions.ts';
import { SubscriptionStatusResponse, Transaction } from '../billing.ts';
import { components } from '../components.ts';
import { FileResponse } from '../jobs.ts';
import { Cursor, PageLimit } from '../paging.ts';
import { AdminJobResponse, AdminJobView, AdminReportResponse } from './jobs.ts';
import { AdminShareView, AdminUserJob } from './users.ts';

const POSITION = /^\d{1,20}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;

/** A position of the log, or a time in UTC (`2026-03-10T12:00:00Z`). */
export const At = z.string().refine((text) => POSITION.test(text) || (TIME.test(text) && !Number.isNaN(Date.parse(text))), {
  message: 'Give a position of the log, or a time in UTC like 2026-03-10T12:00:00Z',
});

/** Default: now. */
export const PastQuery = z.strictObject({ at: At.optional() });

export const MomentView = z.object({
  /** Of the last event up to then: asked for by it, the same is shown again. */
  position: z.string(),
  /** When that event was. */
  time: z.string(),
  /** Nothing has happened since. */
  now: z.boolean(),
});
export type MomentView = z.infer<typeof MomentView>;

/** What was erased is not shown of any moment. `at` and `by` are null where nothing tells of it any more. */
export const ErasedView = z.object({ at: z.string().nullable(), by: z.string().nullable() });
export type ErasedView = z.infer<typeof ErasedView>;

/** `data`: null where it was not there, or has been erased since. */
const then = { success: z.literal(true), moment: MomentView, erased: ErasedView.nullable() };

/** `parked`: an event up to then could not be applied, so that the screen of then did not show it. */
const Job = AdminJobResponse.shape.data.pick({ job: true, own: true, owner: true, paid: true, shares: true, report: true });
export const PastJobResponse = z.object({ ...then, data: Job.extend({ parked: z.boolean() }).nullable() });
export type PastJobResponse = z.infer<typeof PastJobResponse>;

const Report = AdminReportResponse.shape.data.extend({
  /** Action items, as the owner saw them. */
  items: z.array(ActionView),
  /** Who wrote them; null: there were none. */
  items_by: z.string().nullable(),
});
export const PastReportResponse = z.object({ ...then, data: Report.nullable() });
export type PastReportResponse = z.infer<typeof PastReportResponse>;
export const PastFileResponse = z.object({ ...then, data: FileResponse.shape.data.nullable() });
export type PastFileResponse = z.infer<typeof PastFileResponse>;
export const PastSharesResponse = z.object({ ...then, data: z.array(AdminShareView).nullable() });
export type PastSharesResponse = z.infer<typeof PastSharesResponse>;

const Bill = z.object({
  /** Null: the account is gone. */
  email: z.string().nullable(),
  billing: SubscriptionStatusResponse.shape.data,
  /** Newest first, at most a hundred. */
  history: z.array(Transaction),
  /** There are more than these. */
  more: z.boolean(),
});
export const PastBillResponse = z.object({ success: z.literal(true), moment: MomentView, data: Bill });
export type PastBillResponse = z.infer<typeof PastBillResponse>;

const pages = { ...PastQuery.shape, limit: PageLimit, cursor: Cursor };
export const PastJobsQuery = z.strictObject({ ...pages, status: z.enum(['all', ...JOB_GROUPS]).optional() });
export const PastUserJobsQuery = z.strictObject(pages);

/** `erased`: so many jobs of this page have been deleted since. */
const page = { success: z.literal(true), moment: MomentView, erased: z.number().int(), cursor: z.string().nullable() };
export const PastJobsResponse = z.object({ ...page, data: z.array(AdminJobView) });
export type PastJobsResponse = z.infer<typeof PastJobsResponse>;
export const PastUserJobsResponse = z.object({ ...page, email: z.string().nullable(), data: z.array(AdminUserJob) });
export type PastUserJobsResponse = z.infer<typeof PastUserJobsResponse>;

export const StepView = z.object({
  /** How it stood after this is asked for by it. */
  position: z.string(),
  at: z.string(),
  /** In plain words. */
  title: z.string(),
  by: z.string(),
});
export type StepView = z.infer<typeof StepView>;
/** In their order. `earlier`: there were more before them. */
export const StepsResponse = z.object({ success: z.literal(true), erased: ErasedView.nullable(), data: z.array(StepView), earlier: z.boolean() });
export type StepsResponse = z.infer<typeof StepsResponse>;

/** After the first moment, up to the second. Default: the last 24 hours. */
export const ChangesQuery = z.strictObject({
  from: At.optional(),
  to: At.optional(),
  after: z
    .string()
    .regex(/^\d{20}$/)
    .optional(),
});
export const UserChangesQuery = z.strictObject({ from: At.optional(), to: At.optional(), of: z.enum(['user', 'bill']).optional() });

const counted = {
  success: z.literal(true),
  from: MomentView,
  to: MomentView,
  events: z.number().int(),
  counts: z.array(z.object({ type: z.string(), title: z.string(), count: z.number().int() })),
  /** In the smallest unit of each currency. */
  money: z.array(z.object({ currency: z.string(), in: z.number().int(), out: z.number().int() })),
};
/** A part at a time: `next` goes on where this one ended (`after`), at the time `reached`; null: all is counted. */
export const ChangesResponse = z.object({ ...counted, next: z.string().nullable(), reached: z.string() });
export type ChangesResponse = z.infer<typeof ChangesResponse>;

/** What was different, in plain words; null: there was nothing. */
export const DifferenceView = z.object({ what: z.string(), before: z.string().nullable(), after: z.string().nullable() });
export type DifferenceView = z.infer<typeof DifferenceView>;
export const UserChangesResponse = z.object({ ...counted, email: z.string().nullable(), differences: z.array(DifferenceView) });
export type UserChangesResponse = z.infer<typeof UserChangesResponse>;

components({
  ChangesResponse,
  PastBillResponse,
  PastJobResponse,
  PastJobsResponse,
  PastReportResponse,
  PastUserJobsResponse,
  StepsResponse,
  UserChangesResponse,
});

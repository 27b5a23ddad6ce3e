/** The past: read models as of a moment, and changes between two moments. */
import * as z from 'zod';
import { CHANGE_KINDS } from '../../../model/history/changeKinds.ts';
import { ActionView } from '../actions.ts';
import { SubscriptionStatusResponse, Transaction } from '../billing.ts';
import { FileResponse } from '../jobs.ts';
import { Cursor, PageLimit } from '../paging.ts';
import { AdminJobResponse, AdminReportResponse } from './jobs.ts';
import { AdminShareView } from './users.ts';

const POSITION = /^\d{1,20}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;

/** A log position, or a UTC time (`2026-03-10T12:00:00Z`). */
export const At = z
  .string()
  .refine((text) => POSITION.test(text) || (TIME.test(text) && !Number.isNaN(Date.parse(text))), {
    message: 'Give a position of the log, or a time in UTC like 2026-03-10T12:00:00Z',
  });

/** Default: now. */
export const PastQuery = z.object({ at: At.optional() });

export const MomentView = z.object({
  /** Position of the last event up to then; requesting this position shows exactly the same again. */
  position: z.string(),
  /** Time of that event. */
  time: z.string(),
  /** The time that was requested, which may be later; null for a position, now, or a time to come. */
  requested: z.string().nullable(),
  /** Whether nothing has happened since. */
  now: z.boolean(),
});
export type MomentView = z.infer<typeof MomentView>;

/** Erased data is not shown for any moment. `at` and `by` are null if no record of the erasure is left. */
export const ErasedView = z.object({ at: z.string().nullable(), by: z.string().nullable() });
export type ErasedView = z.infer<typeof ErasedView>;

/** `data`: null if it did not exist then, or has been erased since. */
const then = { success: z.literal(true), moment: MomentView, erased: ErasedView.nullable() };

/** `parked`: an event up to then could not be applied, so the screen did not show it at the time either. */
const Job = AdminJobResponse.shape.data.pick({
  job: true,
  own: true,
  owner: true,
  paid: true,
  shares: true,
  report: true,
});
export const PastJobResponse = z.object({ ...then, data: Job.extend({ parked: z.boolean() }).nullable() });
export type PastJobResponse = z.infer<typeof PastJobResponse>;

const Report = AdminReportResponse.shape.data.extend({
  /** Action items as the owner saw them. */
  items: z.array(ActionView),
  /** Who wrote them; null if there were none. */
  items_by: z.string().nullable(),
});
export const PastReportResponse = z.object({ ...then, data: Report.nullable() });
export type PastReportResponse = z.infer<typeof PastReportResponse>;
export const PastFileResponse = z.object({ ...then, data: FileResponse.shape.data.nullable() });
export type PastFileResponse = z.infer<typeof PastFileResponse>;
export const PastSharesResponse = z.object({ ...then, data: z.array(AdminShareView).nullable() });
export type PastSharesResponse = z.infer<typeof PastSharesResponse>;

const Bill = z.object({
  /** Null if the account was deleted. */
  email: z.string().nullable(),
  billing: SubscriptionStatusResponse.shape.data,
  /** Newest first, at most 100. */
  history: z.array(Transaction),
  /** Whether there are more than these. */
  more: z.boolean(),
});
export const PastBillResponse = z.object({ success: z.literal(true), moment: MomentView, data: Bill });
export type PastBillResponse = z.infer<typeof PastBillResponse>;

export const StepView = z.object({
  /** Request this position to see the state after the step. */
  position: z.string(),
  at: z.string(),
  /** In plain words. */
  title: z.string(),
  by: z.string(),
});
export type StepView = z.infer<typeof StepView>;
/** In order. `earlier`: earlier steps were left out. */
export const StepsResponse = z.object({
  success: z.literal(true),
  erased: ErasedView.nullable(),
  data: z.array(StepView),
  earlier: z.boolean(),
});
export type StepsResponse = z.infer<typeof StepsResponse>;

/** After `from`, up to and including `to`. Default: the last 24 hours. */
export const ChangesQuery = z.object({
  from: At.optional(),
  to: At.optional(),
  after: z
    .string()
    .regex(/^\d{20}$/)
    .optional(),
});
export const UserChangesQuery = z.object({
  from: At.optional(),
  to: At.optional(),
  of: z.enum(['user', 'bill']).optional(),
});

const counted = {
  success: z.literal(true),
  from: MomentView,
  to: MomentView,
  events: z.number().int(),
  counts: z.array(z.object({ type: z.string(), title: z.string(), count: z.number().int() })),
  /** In the smallest unit of each currency. */
  money: z.array(z.object({ currency: z.string(), in: z.number().int(), out: z.number().int() })),
};
/** Returned in parts: pass `next` as `after` to continue from the time `reached`; null when everything is counted. */
export const ChangesResponse = z.object({ ...counted, next: z.string().nullable(), reached: z.string() });
export type ChangesResponse = z.infer<typeof ChangesResponse>;

/** What differs, in plain words; `before` or `after` is null if there was no value. */
export const DifferenceView = z.object({
  what: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type DifferenceView = z.infer<typeof DifferenceView>;
export const UserChangesResponse = z.object({
  ...counted,
  email: z.string().nullable(),
  /**
   * How many of the user's newest jobs are counted, with their plans, reports and links; `more`: there are older ones.
   * Null for a bill alone.
   */
  jobs: z.object({ counted: z.number().int(), more: z.boolean() }).nullable(),
  differences: z.array(DifferenceView),
});
export type UserChangesResponse = z.infer<typeof UserChangesResponse>;

/** Same moments as `ChangesQuery`; `kind`: default `users`. */
export const ChangeListQuery = z.object({
  from: At.optional(),
  to: At.optional(),
  kind: z.enum(CHANGE_KINDS).optional(),
  limit: PageLimit,
  cursor: Cursor,
});
export const ChangeView = z.object({
  type: z.string(),
  /** In plain words. */
  title: z.string(),
  at: z.string(),
  by: z.string(),
  position: z.string(),
  /** Where it is in the history. */
  stream: z.string(),
  revision: z.number().int(),
  /** The user, site, prompt or sequence; null if it has been deleted since. */
  what: z.string().nullable(),
  /** Such as an amount, a plan or a version. */
  detail: z.string().nullable(),
});
export type ChangeView = z.infer<typeof ChangeView>;
/** A page may have few rows, even none, and a cursor to continue. */
export const ChangeListResponse = z.object({
  success: z.literal(true),
  data: z.array(ChangeView),
  cursor: z.string().nullable(),
});
export type ChangeListResponse = z.infer<typeof ChangeListResponse>;

/** Lists as of a moment: jobs, users, prompts and email sequences. */
import * as z from 'zod';
import { JOB_GROUPS } from '../../../model/jobs.ts';
import { EMAIL_MAX_LENGTH } from '../../../model/limits.ts';
import { TIERS } from '../../../model/tiers.ts';
import { Cursor, PageLimit } from '../paging.ts';
import { SequenceView } from './emailSequences.ts';
import { AdminJobView } from './jobs.ts';
import { MomentView, PastQuery } from './past.ts';
import { PromptView } from './prompts.ts';
import { AdminUserJob } from './users.ts';

const pages = { ...PastQuery.shape, limit: PageLimit, cursor: Cursor };
const search = z.string().trim().max(EMAIL_MAX_LENGTH).optional();

/** `search`: a prefix of the host, ignoring `www.`. */
export const PastJobsQuery = z.object({ ...pages, status: z.enum(['all', ...JOB_GROUPS]).optional(), search });
export const PastUserJobsQuery = z.object(pages);
/** `search`: a prefix of the email address of then. */
export const PastUsersQuery = z.object({ ...pages, search });
export const PastSequencesQuery = z.object(pages);

const then = { success: z.literal(true), moment: MomentView };
/** `erased`: number of jobs on this page deleted since; 0 in a search, where it would reveal their sites. */
const page = { ...then, erased: z.number().int(), cursor: z.string().nullable() };
export const PastJobsResponse = z.object({ ...page, data: z.array(AdminJobView) });
export type PastJobsResponse = z.infer<typeof PastJobsResponse>;
export const PastUserJobsResponse = z.object({ ...page, email: z.string().nullable(), data: z.array(AdminUserJob) });
export type PastUserJobsResponse = z.infer<typeof PastUserJobsResponse>;

const count = z.number().int();
export const PastUserView = z.object({
  id: z.string(),
  email: z.string(),
  created_at: z.string(),
  is_admin: z.boolean(),
  sign_in_enabled: z.boolean(),
  /** Null where nothing is sold. */
  plan: z.enum(TIERS).nullable(),
  jobs: count,
  /** Jobs of then that have been deleted since. */
  erased_jobs: count,
  /** Action items of the jobs. */
  items: count,
  completed_items: count,
  /** There were older jobs, which are not counted. */
  more: z.boolean(),
});
export type PastUserView = z.infer<typeof PastUserView>;
/** `erased`: on the first page, the number of accounts deleted since the moment, whether they existed then or not. */
export const PastUsersResponse = z.object({ ...page, data: z.array(PastUserView) });
export type PastUsersResponse = z.infer<typeof PastUsersResponse>;

export const PastPromptsResponse = z.object({ ...then, data: z.array(PromptView) });
export type PastPromptsResponse = z.infer<typeof PastPromptsResponse>;
export const PastSequencesResponse = z.object({ ...then, data: z.array(SequenceView), cursor: z.string().nullable() });
export type PastSequencesResponse = z.infer<typeof PastSequencesResponse>;

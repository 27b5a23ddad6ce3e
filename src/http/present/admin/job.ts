import type { AccountDocument } from '../../../projections/accounts.ts';
import type { JobDocument } from '../../../projections/jobs.ts';
import type { StoredDocument } from '../../../readModels/readModels.ts';
import type { AdminJobView } from '../../contract/admin/jobs.ts';
import { presentJob } from '../job.ts';

/** An email is returned under both names. */
export const emailFields = (email: string | null) => ({ userEmail: email, user_email: email });

/** `now`: UTC ISO. */
export function presentAdminJob(
  job: StoredDocument<JobDocument>,
  owner: Pick<AccountDocument, 'email'> | null,
  now: string,
): AdminJobView {
  return { ...presentJob(job, now), ...emailFields(owner?.email ?? null) };
}

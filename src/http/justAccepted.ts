/** A job that has been accepted but is not in the read models yet. The only place where a read consults the log, and only if they have nothing. */

import { loadState } from '../commands/handle.ts';
import { jobDecider } from '../domain/job/decide.ts';
import { jobStream } from '../domain/job/job.ts';
import { getJob } from '../projections/jobs.ts';
import type { HttpDeps } from './deps.ts';
import { HttpError, jobNotFound } from './errors.ts';
import { caughtUp } from './readYourWrites.ts';
import type { OwnJob } from './route.ts';

const JOB_ID = /^[0-9a-f-]{36}$/;
const AGAIN_AFTER_SECONDS = 2;

/** @throws HttpError JOB_NOT_FOUND if it does not exist or is another user's; NOT_SHOWN_YET while the read models lag */
export async function justAccepted(deps: HttpDeps, { jobId, userId }: { readonly jobId: string; readonly userId: string }): Promise<OwnJob> {
  if (!JOB_ID.test(jobId)) throw jobNotFound();
  const { state, position } = await loadState(deps.store, jobDecider, jobStream(jobId));
  if (state.status === 'none' || state.status === 'deleted' || state.userId !== userId) throw jobNotFound();
  const hasCaughtUp = await caughtUp(deps, ['jobs'], position);
  const job = await getJob(deps.readModels, jobId);
  if (job) return job;
  if (hasCaughtUp) throw jobNotFound();
  throw new HttpError('NOT_SHOWN_YET', 'This was accepted and will be shown in a moment. Please try again.', {
    headers: { 'Retry-After': String(AGAIN_AFTER_SECONDS) },
  });
}

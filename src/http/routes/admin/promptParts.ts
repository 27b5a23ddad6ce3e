/** Shared by the prompt routes. */
import * as z from 'zod';
import type { CommandContext } from '../../../commands/context.ts';
import { PROMPT_KEYS, type PromptKey } from '../../../model/prompts/prompt.ts';
import { getJobFile } from '../../../projections/jobFiles.ts';
import { getJob, showsFiles } from '../../../projections/jobs.ts';
import { recordView } from '../../auth/administering.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import type { Caller } from '../../request/caller.ts';
import { HttpError, jobNotFound } from '../../request/errors.ts';
import { justSubmitted } from '../../routing/justMade.ts';

export const PromptParams = z.object({ key: z.string().min(1).max(64) });

/** @throws HttpError PROMPT_NOT_FOUND */
export function keyOf({ key }: z.output<typeof PromptParams>): PromptKey {
  const known = PROMPT_KEYS.find((each) => each === key);
  if (!known) throw new HttpError('PROMPT_NOT_FOUND', 'There is no such prompt.');
  return known;
}

type Request = { readonly deps: HttpDeps; readonly caller: Pick<Caller, 'userId'>; readonly command: CommandContext };

/**
 * The stored `findings.json` of any user's job; viewing another user's is recorded.
 * @throws HttpError JOB_NOT_FOUND, FINDINGS_NOT_FOUND, NOT_SHOWN_YET
 */
export async function findingsToShow(
  request: Request,
  jobId: string,
): Promise<{ readonly host: string; readonly findings: string }> {
  const { readModels } = request.deps;
  const job = ((await getJob(readModels, jobId)) ?? (await justSubmitted(request.deps, { jobId, userId: null })))?.data;
  if (!job) throw jobNotFound();
  await recordView(request, { ownerId: job.userId, thing: 'report', thingId: jobId });
  const findings = await getJobFile(readModels, jobId, 'findings.json');
  if (!findings || !showsFiles(job))
    throw new HttpError('FINDINGS_NOT_FOUND', 'This job has found nothing yet, or nothing that can be read.');
  return { host: job.host, findings: findings.data.content };
}

/** What a share token opens now. Unknown, revoked, expired and deleted are one and the same: nothing. */
import { hash, timingSafeEqual } from 'node:crypto';
import { jobIdOfShareToken } from '../commands/shareTokens.ts';
import { isOpen } from '../domain/share/share.ts';
import { getJob, type JobDocument } from '../projections/jobs.ts';
import { getShares, type ShareEntry } from '../projections/shares.ts';
import type { HttpDeps } from './deps.ts';

export type OpenShare = {
  readonly share: ShareEntry;
  readonly job: JobDocument;
};

export async function openShare({ readModels, now }: Pick<HttpDeps, 'readModels' | 'now'>, token: string): Promise<OpenShare | null> {
  const jobId = jobIdOfShareToken(token);
  if (jobId === null) return null;
  const [shares, job] = await Promise.all([getShares(readModels, jobId), getJob(readModels, jobId)]);
  const given = hash('sha256', token, 'buffer');
  const share = shares?.data.shares.find(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash, 'hex'), given));
  // An analysis that is deleted takes its links with it, also in the moment before they are erased.
  if (!share || !job || !isOpen(share, now())) return null;
  return { share, job: job.data };
}

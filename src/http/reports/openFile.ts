import { setImmediate as nextRound } from 'node:timers/promises';
import pLimit from 'p-limit';
import { REPORT_FILES, type ReportFile } from '../../model/jobs.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import { type JobDocument, showsFiles } from '../../projections/jobs.ts';
import type { Documents } from '../../readModels/readModels.ts';
import type { FileResponse } from '../contract/jobs.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { shownContent } from '../present/previewFiles.ts';
import { fileNotFound } from '../request/errors.ts';
import { inTurn, oneByOne } from './costlyTurns.ts';

/**
 * A large file takes tenths of a second: one begins in each round of the event loop, so that others get their turn in
 * between. None waits for one of another owner to end, as a store may be slow to answer.
 */
const turns = pLimit(1);

const isFileName = (name: string): name is ReportFile => (REPORT_FILES as readonly string[]).includes(name);

type Deps = Pick<HttpDeps, 'reports'> & { readonly readModels: Documents };

/** Content of one of a job's files, as its owner may see it. @throws HttpError FILE_NOT_FOUND */
export async function openFile(deps: Deps, job: JobDocument, name: string): Promise<FileResponse['data']> {
  if (!isFileName(name) || !showsFiles(job)) throw fileNotFound();
  const content = await shownFile(deps, job, name);
  if (content === null) throw fileNotFound();
  return { jobId: job.jobId, name, content };
}

/** The same of a job that shows its files; null if it does not have this one. */
export function shownFile(
  deps: Deps,
  { jobId, access, userId }: Pick<JobDocument, 'jobId' | 'access' | 'userId'>,
  name: ReportFile,
): Promise<string | null> {
  const read = async (): Promise<string | null> => {
    await turns(() => nextRound());
    const file = await getJobFile(deps.readModels, jobId, name);
    return file && shownContent(deps, access, file.data, name);
  };
  // A preview's files are written when they are read.
  return access === 'full' ? oneByOne(userId, read) : inTurn(userId, read);
}

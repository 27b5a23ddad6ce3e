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
import { inTurn } from './costlyTurns.ts';

/**
 * A large file takes tenths of a second: one begins in each round of the event loop, so that others get their turn in
 * between. None waits for another to end, as a store may be slow to answer.
 */
const turns = pLimit(1);

const isFileName = (name: string): name is ReportFile => (REPORT_FILES as readonly string[]).includes(name);

/** Content of one of a job's files, as its owner may see it. @throws HttpError FILE_NOT_FOUND */
export async function openFile(
  deps: Pick<HttpDeps, 'reports'> & { readonly readModels: Documents },
  job: JobDocument,
  name: string,
): Promise<FileResponse['data']> {
  if (!isFileName(name)) throw fileNotFound();
  const { jobId, access, userId } = job;
  await turns(() => nextRound());
  const file = showsFiles(job) ? await getJobFile(deps.readModels, jobId, name) : null;
  if (!file) throw fileNotFound();
  const shown = () => shownContent(deps, access, file.data, name);
  // A preview's files are written when they are read.
  return { jobId, name, content: await (access === 'full' ? shown() : inTurn(userId, shown)) };
}

/** The files of each job, assembled from their parts. */
import { REPORT_FILES } from '../model/jobs.ts';
import type { Documents, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type JobFileDocument = {
  readonly jobId: string;
  readonly userId: string;
  readonly name: string;
  readonly content: string;
  readonly parts: number;
  /** Number of parts in `content`. */
  readonly received: number;
};

const fileId = (jobId: string, name: string): string => `${jobId}/${name}`;

export const jobFiles = projection<JobFileDocument>()({
  name: 'jobFiles',
  version: 2,
  indexes: [['jobId']],
  isBulky: true,
  keys: (event) => {
    if (event.type === 'ReportPartWritten') return [fileId(event.data.jobId, event.data.file)];
    const jobIds = event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId];
    return jobIds.flatMap((jobId) => REPORT_FILES.map((name) => fileId(jobId, name)));
  },
  on: {
    ReportPartWritten: (document, { data: { jobId, userId, file, part, parts, text } }) => {
      if (part === 0) return { jobId, userId, name: file, content: text, parts, received: 1 };
      // Deleted while a worker was writing it: later parts are erased with the stream.
      if (document === null) return null;
      if (document.parts !== parts || document.received !== part)
        throw new Error(`Part ${part} of ${parts} of ${file} does not follow.`);
      return { ...document, content: document.content + text, received: part + 1 };
    },
    JobDeleted: () => null,
    JobsDeleted: () => null,
  },
});

/** Null if the file is missing or incomplete. */
export async function getJobFile(
  readModels: Documents,
  jobId: string,
  name: string,
): Promise<StoredDocument<JobFileDocument> | null> {
  const file = await readModels.get<JobFileDocument>('jobFiles', fileId(jobId, name));
  return file && file.data.received === file.data.parts ? file : null;
}

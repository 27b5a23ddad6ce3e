/** The files of each job, assembled from their parts. */
import type { JobDeletionsEvent, JobEvent } from '../domain/job/events.ts';
import type { ReportPartWritten } from '../domain/report/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import { REPORT_FILES } from '../model/jobs.ts';
import type { Documents, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

export type JobFileDocument = {
  readonly jobId: string;
  readonly userId: string;
  readonly name: string;
  readonly content: string;
  readonly parts: number;
  /** Number of parts in `content`. */
  readonly received: number;
};

type JobFilesEvent = ReportPartWritten | JobDeletionsEvent | Extract<JobEvent, { readonly type: 'JobDeleted' }>;

const fileId = (jobId: string, name: string): string => `${jobId}/${name}`;

export const jobFiles: Projection<JobFileDocument, JobFilesEvent> = {
  name: 'jobFiles',
  version: 2,
  indexes: [['jobId']],
  isBulky: true,
  handles: ['ReportPartWritten', 'JobDeleted', 'JobsDeleted'],
  keys: filesOf,
  evolve(document, event) {
    switch (event.type) {
      case 'ReportPartWritten': {
        const { jobId, userId, file, part, parts, text } = event.data;
        if (part === 0) return { jobId, userId, name: file, content: text, parts, received: 1 };
        // Deleted while a worker was writing it: later parts are erased with the stream.
        if (document === null) return null;
        if (document.parts !== parts || document.received !== part) throw new Error(`Part ${part} of ${parts} of ${file} does not follow.`);
        return { ...document, content: document.content + text, received: part + 1 };
      }
      case 'JobDeleted':
      case 'JobsDeleted':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

function filesOf(event: Recorded<JobFilesEvent>): readonly string[] {
  if (event.type === 'ReportPartWritten') return [fileId(event.data.jobId, event.data.file)];
  const jobIds = event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId];
  return jobIds.flatMap((jobId) => REPORT_FILES.map((name) => fileId(jobId, name)));
}

/** Null if the file is missing or incomplete. */
export async function getJobFile(readModels: Documents, jobId: string, name: string): Promise<StoredDocument<JobFileDocument> | null> {
  const file = await readModels.get<JobFileDocument>('jobFiles', fileId(jobId, name));
  return file && file.data.received === file.data.parts ? file : null;
}

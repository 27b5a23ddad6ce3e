/** How events of jobs, their reports and their intermediate data are stored. */
import { JOB_DELETIONS_EVENTS, JOB_EVENTS } from '../job/events.ts';
import { CRAWL_EVENTS, REPORT_EVENTS, REPORT_OPENED_EVENTS } from '../report/events.ts';
import { stored, unchanged } from './storedType.ts';

const OF_OWNER = ['jobId', 'userId'] as const;

export const JOB_TYPES = stored(JOB_EVENTS, ['jobId'], {
  JobSubmitted: { ids: OF_OWNER },
  JobReportReady: { upcasts: [unchanged] },
  JobUnlocked: { ids: OF_OWNER },
  JobDeleted: { ids: OF_OWNER },
});

export const JOB_DELETIONS_TYPES = stored(JOB_DELETIONS_EVENTS, ['userId']);

export const REPORT_TYPES = stored(REPORT_EVENTS, OF_OWNER, { ReportPartWritten: { ids: [...OF_OWNER, 'file'] } });

export const REPORT_OPENED_TYPES = stored(REPORT_OPENED_EVENTS, OF_OWNER);

export const CRAWL_TYPES = stored(CRAWL_EVENTS, ['jobId', 'name']);

/** How events of jobs, their reports and their intermediate data are stored. */

import { presentTexts, stepsOf } from '../../model/earlierTexts.ts';
import { JOB_DELETIONS_EVENTS, JOB_EVENTS } from '../job/events.ts';
import { CRAWL_EVENTS, PAGE_RECORD_EVENTS, REPORT_EVENTS, REPORT_OPENED_EVENTS } from '../report/events.ts';
import { stored, type Upcast, unchanged } from './storedType.ts';

const OF_OWNER = ['jobId', 'userId'] as const;

export const JOB_TYPES = stored(JOB_EVENTS, ['jobId'], {
  JobSubmitted: { ids: OF_OWNER },
  JobReportReady: { upcasts: [unchanged] },
  JobUnlocked: { ids: OF_OWNER },
  JobDeleted: { ids: OF_OWNER },
});

export const JOB_DELETIONS_TYPES = stored(JOB_DELETIONS_EVENTS, ['userId']);

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Version 1 of the overview had the texts of checks as `why`, `businessValue`, `fix` and `codeExample`. */
function withPresentTexts(data: Fields): ReturnType<Upcast> {
  if (data.kind !== 'overview' || !Array.isArray(data.rows)) return data;
  return { ...data, rows: data.rows.map((row) => (isFields(row) ? presentOverview(row) : row)) };
}

function presentOverview(row: Fields): Fields {
  if (!Array.isArray(row.causes)) return row;
  return { ...row, causes: row.causes.map((cause) => (isFields(cause) ? presentCause(cause) : cause)) };
}

function presentCause({ fix, check, ...rest }: Fields): Fields {
  return { ...rest, check: presentTexts(check), ...(fix === undefined ? {} : { steps: stepsOf(fix) }) };
}

export const REPORT_TYPES = stored(REPORT_EVENTS, OF_OWNER, {
  ReportPartWritten: { ids: [...OF_OWNER, 'file'] },
  ReportRowsWritten: { ids: OF_OWNER, upcasts: [withPresentTexts] },
});

export const PAGE_RECORD_TYPES = stored(PAGE_RECORD_EVENTS, OF_OWNER);

export const REPORT_OPENED_TYPES = stored(REPORT_OPENED_EVENTS, OF_OWNER);

export const CRAWL_TYPES = stored(CRAWL_EVENTS, ['jobId', 'name']);

/** Action items as a downloadable file. Cells that a spreadsheet would treat as formulas are escaped. */
import { stringify } from 'csv-stringify/sync';
import type { JobDocument } from '../../projections/jobs.ts';
import type { ActionView, ExportResponse } from '../contract/actions.ts';

export type ActionExport = {
  readonly job: Pick<JobDocument, 'jobId' | 'url' | 'host' | 'score' | 'notJudged' | 'settings' | 'completedAt'>;
  /** The items the access includes. */
  readonly actions: readonly ActionView[];
  /** Number of items in the whole plan. */
  readonly total: number;
  /** UTC ISO. */
  readonly at: string;
};

export function exportFile(format: 'json' | 'csv', exported: ActionExport): ExportResponse['data'] {
  const name = `seo-actions-${exported.job.host.toLowerCase().replace(/[^a-z0-9.-]+/g, '-')}-${exported.at.slice(0, 10)}.${format}`;
  return format === 'csv'
    ? { name, type: 'text/csv; charset=utf-8', content: csvOf(exported) }
    : { name, type: 'application/json', content: jsonOf(exported) };
}

function jsonOf({ job, actions, total, at }: ActionExport): string {
  const { jobId, url, host, score, notJudged, settings = null, completedAt } = job;
  const head = {
    format: 'seo-actions',
    version: 1,
    exported_at: at,
    job_id: jobId,
    url,
    host,
    score,
    not_judged: notJudged,
    settings,
    completed_at: completedAt,
    total_actions: total,
  };
  return `${JSON.stringify({ ...head, actions }, null, 2)}\n`;
}

const COLUMNS = [
  'id',
  'title',
  'status',
  'impact',
  'category',
  'difficulty',
  'time_estimate',
  'business_value',
  'time_to_result',
  'problem',
  'solution',
  'code_example',
  'tags',
  'pages',
  'started_at',
  'completed_at',
  'notes',
  'effectiveness_rating',
  'verified',
  'optional',
];

function csvOf({ actions }: ActionExport): string {
  const rows = actions.map((action) => ({
    ...action,
    code_example: action.code_example ?? '',
    notes: action.notes ?? '',
    tags: action.tags.join(', '),
    pages: action.pages.join(' '),
    verified: action.last_verification ? `${action.last_verification.outcome} ${action.last_verification.at}` : '',
  }));
  // A formula can hide behind leading white space.
  const cast = { string: (text: string) => (/^\s+[=+\-@]/.test(text) ? `'${text}` : text) };
  return stringify(rows, { header: true, escape_formulas: true, record_delimiter: 'windows', columns: COLUMNS, cast });
}

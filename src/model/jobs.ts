/** Jobs, in the words that the log, the API and the screens share. */

/** Every status a job can show. */
export const JOB_STATUSES = [
  'pending',
  'queued',
  'starting',
  'processing',
  'executing_parallel_streams',
  'executing_step1',
  'executing_step2',
  'executing_step2_format',
  'executing_step3',
  'executing_convergence',
  'generating_actions',
  'executing_actions_parsing',
  'completed',
  'failed',
  'partial_success',
  'partially_completed',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Nothing more happens to a job in one of these. */
export const FINAL_STATUSES: readonly JobStatus[] = ['completed', 'failed', 'partial_success', 'partially_completed'];

/** What lists are filtered by. */
export const JOB_GROUPS = ['completed', 'processing', 'failed'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

/** A result with a gap is a result. */
export function groupOf(status: JobStatus): JobGroup {
  if (status === 'failed') return 'failed';
  return FINAL_STATUSES.includes(status) ? 'completed' : 'processing';
}

/** Of one part of a job: its action items, their parsing. */
export const PART_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type PartStatus = (typeof PART_STATUSES)[number];

/** What paid for an audit, and so what its owner sees of it. */
export const JOB_ACCESSES = ['full', 'preview'] as const;
export type JobAccess = (typeof JOB_ACCESSES)[number];

/** Every file that an audit has, in the order in which they are shown. */
export const REPORT_FILES = ['seo-audit-report.md', 'executive-summary.md', 'action-items.md', 'findings.json', 'pages.csv'] as const;
export type ReportFile = (typeof REPORT_FILES)[number];

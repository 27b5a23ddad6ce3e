/** Job vocabulary shared by the log, the API and the screens. */

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

/** A job's status never changes after one of these. */
export const FINAL_STATUSES: readonly JobStatus[] = ['completed', 'failed', 'partial_success', 'partially_completed'];

/** Filters for lists. */
export const JOB_GROUPS = ['completed', 'processing', 'failed'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

/** A partial result counts as a result. */
export function groupOf(status: JobStatus): JobGroup {
  if (status === 'failed') return 'failed';
  return FINAL_STATUSES.includes(status) ? 'completed' : 'processing';
}

/** Status of one part of a job: its action items, their parsing. */
export const PART_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type PartStatus = (typeof PART_STATUSES)[number];

/** How much of an audit its owner sees, depending on what paid for it. */
export const JOB_ACCESSES = ['full', 'preview'] as const;
export type JobAccess = (typeof JOB_ACCESSES)[number];

/** Every file of an audit, in display order. */
export const REPORT_FILES = [
  'seo-audit-report.md',
  'executive-summary.md',
  'action-items.md',
  'findings.json',
  'pages.csv',
] as const;
export type ReportFile = (typeof REPORT_FILES)[number];

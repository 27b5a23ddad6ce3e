/** Display texts of the statuses. */
import type { JobStatus } from '../../../src/model/jobs.ts';
import { titleCase } from '../text/wording.ts';

const LABELS: Partial<Record<JobStatus, string>> = {
  executing_parallel_streams: 'Analyzing Website',
  executing_step1: 'AI Analysis',
  executing_step2: 'Data Collection',
  executing_step2_format: 'Report Generation',
  executing_step3: 'Creating Recommendations',
  executing_convergence: 'Final Report',
  generating_actions: 'Generating Actions',
};

export function statusLabel(status: JobStatus): string {
  return LABELS[status] ?? titleCase(status);
}

/** '12 of 36 pages'; empty until a page was found. */
export function pagesText(job: { readonly pages_done: number; readonly pages_known: number }): string {
  if (job.pages_known === 0) return '';
  return `${job.pages_done} of ${job.pages_known} ${job.pages_known === 1 ? 'page' : 'pages'}`;
}

/** Words for what lists of pages and links filter by. */
import type { Indexability } from '../../../../../src/model/pages.ts';

/** Short, for a column and for filters. */
export const INDEXABILITY_NAMES: Readonly<Record<Indexability, string>> = {
  indexable: 'Indexable',
  noindex: 'Noindex',
  robots: 'Blocked by robots.txt',
  canonical: 'Canonical elsewhere',
  redirect: 'Redirects',
  error: 'Error or no answer',
  not_html: 'No HTML',
};

export const STATUS_NAMES = { '2xx': '2xx', '3xx': '3xx', '4xx': '4xx', '5xx': '5xx', none: 'No answer' } as const;
export const TYPE_NAMES = { html: 'HTML', other: 'Other' } as const;
export const MISSING_NAMES = { title: 'Title', description: 'Description', h1: 'H1' } as const;
export const PLACE_NAMES = { orphan: 'Orphan', dead_end: 'Dead end', deep: 'Deep' } as const;
export const TASK_NAMES = { yes: 'Has a task', no: 'No task' } as const;
export const SHOW_NAMES = {
  content: 'Content pages',
  findings: 'With findings',
  high: 'High impact',
  problems: 'Errors',
  closed: 'Kept out of search',
} as const;

/** The version whose audits are the first to record roles, links, and the rest. */
export const RECORDED_SINCE = '0.1.0';

/** What the analyst makes of an audit's issues: which are tasks, how much work they are, and why they rank as they do. */
import { gatherIssues, type Issue } from '../../model/issues/issues.ts';
import { durationText, totalText } from '../../model/wording.ts';
import type { AnalystCheck, AnalystInput } from './analyst.ts';
import { about } from './wording.ts';

export type AnalystIssue = Issue<AnalystCheck>;

/** Explains the issue's rank in one sentence. */
export function reasonOf(issues: readonly [AnalystIssue, ...AnalystIssue[]]): string {
  const [{ impact, where, hint, cap }] = issues;
  const minutes = minutesOf(issues);
  if (hint) return `Optional, ${about(minutes)}.`;
  if (cap !== null) return `Keeps the score from rising above ${cap}: fix it first, ${about(minutes)}.`;
  return `${impact.charAt(0).toUpperCase()}${impact.slice(1)} impact ${where}, ${about(minutes)}.`;
}

/** An issue that one person can fix in one sitting. */
export function isQuickWin({ check, minutes }: AnalystIssue): boolean {
  return check.difficulty === 'easy' && minutes <= 30;
}

/** Questions to the owner of the site rather than work: what is kept out on purpose, and from whom. */
const NOTES: ReadonlySet<string> = new Set([
  'ai-search-bots-blocked',
  'ai-training-bots',
  'ai-user-fetchers-blocked',
  'noindex-header',
  'noindex-meta',
  'robots-blocks-page',
]);

/** Only reported, as nothing may be wrong. */
export const isNote = ({ hint, check }: AnalystIssue): boolean => hint && NOTES.has(check.id);

/** The issues that are action items. */
export function gatherTasks(input: AnalystInput): readonly AnalystIssue[] {
  return gatherIssues(input).filter((issue) => !isNote(issue));
}

export const minutesOf = (issues: readonly AnalystIssue[]): number =>
  issues.reduce((sum, issue) => sum + issue.minutes, 0);

/** `20 minutes` of one issue, `about 7 hours` of several. */
export function workOf(issues: readonly AnalystIssue[]): string {
  return issues.length === 1 ? durationText(minutesOf(issues)) : totalText(minutesOf(issues));
}

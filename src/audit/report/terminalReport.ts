/** The report for a terminal: plain text, with no control sequences from the site. */

import { isPart, settingsText } from '../../model/crawlSettings.ts';
import { findingsOf } from '../../model/issues/issues.ts';
import {
  ceilingText,
  NOT_JUDGED,
  NOT_JUDGED_TEXTS,
  type NotJudgedReason,
  SHUT_TEXT,
  wholeScore,
} from '../../model/scores.ts';
import { plainSteps } from '../../model/wording.ts';
import type { AuditResult } from '../audit.ts';
import { count, plural } from '../checks/evidence.ts';
import { CHECKS } from '../checks/index.ts';
import type { Score } from '../score.ts';
import { coverageLines, notChecked } from './coverage.ts';
import { oneLine } from './markdown.ts';
import { addressesOf, type ReportIssue, reportIssues, workText } from './reportIssues.ts';

const SHOWN = 3;

/** Empty if nothing could be read: the reason is all there is to report. */
export function terminalReport(
  url: string,
  {
    score,
    notJudged = null,
    findings,
    outcomes,
    crawl,
  }: Omit<AuditResult, 'shut' | 'notJudged'> & Partial<Pick<AuditResult, 'notJudged'>>,
): string {
  if (score === null && notJudged === null) return '';
  const { settings } = crawl.coverage;
  const issues = reportIssues({ score, findings, outcomes, checks: CHECKS });
  const faults = issues.filter((issue) => !issue.hint);
  const hints = issues.filter((issue) => issue.hint);
  const passed = outcomes.filter((outcome) => outcome.state === 'passed').length;
  const open = notChecked(outcomes).filter((outcome) => outcome.looked === 0);
  const lines = [
    `SEO audit of ${oneLine(url)}`,
    ...(settings && isPart(settings) ? [`Part of the site: ${settingsText(settings, (text) => oneLine(text))}`] : []),
    '',
    ...(score === null ? notJudgedLines(notJudged) : scoreLines(score)),
    '',
    ...coverageLines(crawl, (text) => oneLine(text)).map((line) => `- ${line}`),
    ...faults.flatMap(issueLines),
    ...(hints.length === 0
      ? []
      : [
          '',
          `OPTIONAL (doesn’t affect the score): ${hints.map((issue) => `${issue.title} (${addressesOf(issue)})`).join('; ')}`,
        ]),
    ...(score === null || score.pages === 0
      ? []
      : [
          '',
          `${plural(faults.length, 'issue')} to fix, ${plural(passed, 'check')} passed, ${count(open.length)} could not be checked.`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function scoreLines({ value, categories, limits, pages }: Score): string[] {
  if (pages === 0) return [`Score ${wholeScore(value)} of 100`, SHUT_TEXT];
  return [
    `Score ${wholeScore(value)} of 100  (${categories.map(({ category, lost }) => `${category} -${lost}`).join('  ')})`,
    ...limits.map(({ cap, reason }) => `  ${reason}. ${ceilingText(cap)}`),
  ];
}

const notJudgedLines = (reason: NotJudgedReason | null): string[] =>
  reason === null ? [] : [`${NOT_JUDGED}. ${NOT_JUDGED_TEXTS[reason]}`];

function issueLines(issue: ReportIssue): string[] {
  const { check, impact, title, steps } = issue;
  const findings = findingsOf(issue);
  const shown = findings.slice(0, SHOWN);
  const more = findings.length - shown.length;
  return [
    '',
    `${impact.toUpperCase()}  ${title}  [${check.id}, ${plural(addressesOf(issue), 'address', 'addresses')}]`,
    `  ${workText(issue)}`,
    ...shown.flatMap(({ message, evidence }) => [
      `  - ${oneLine(message)}`,
      `    ${oneLine(evidence.url)}  ${oneLine(evidence.place, 120)}`,
    ]),
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
    `  Fix: ${plainSteps(steps)}`,
  ];
}

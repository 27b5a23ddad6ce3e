/** The issues of a report, and what they say of which pages. */

import { editText, isOnPage } from '../../model/edits.ts';
import type { Finding } from '../../model/findings.ts';
import { findingsOf, gatherIssues, type Issue, type IssueCheck } from '../../model/issues/issues.ts';
import { headerAt } from '../../model/issues/relations.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import { readableAddress } from '../../model/readableAddress.ts';
import { durationText, resultsText } from '../../model/wording.ts';
import type { CheckMeta, CheckOutcome } from '../checks/check.ts';
import { count, plural } from '../checks/evidence.ts';
import type { Score } from '../score.ts';
import { withExtent } from './siteChecks.ts';

type ReportInput = {
  readonly score: Pick<Score, 'limits' | 'deductions' | 'pages'> | null;
  readonly findings: readonly Finding[];
  readonly outcomes: readonly CheckOutcome[];
  readonly checks: readonly (CheckMeta & Pick<IssueCheck, 'locked'>)[];
};

/** The issues of an audit; findings of checks that are not among `checks` are left out. */
export function reportIssues({
  score,
  findings,
  outcomes,
  checks,
}: ReportInput): readonly Issue<CheckMeta & IssueCheck>[] {
  return gatherIssues({
    pagesAudited: score?.pages ?? 0,
    findings,
    checks: withExtent(checks, outcomes),
    limits: score?.limits ?? [],
    points: score?.deductions ?? [],
  });
}

export type ReportIssue = ReturnType<typeof reportIssues>[number];

/** `of`: how many findings of the same check have code, of which this is the first. */
type ShownCode = { readonly finding: Finding; readonly code: string; readonly of: number };

/** The first finding with code: its own before that of what one edit fixes with it. */
export function codeIn({ findings, joined }: ReportIssue): ShownCode | null {
  const together = joined.filter(({ kind }) => kind === 'together').flatMap((other) => other.findings);
  const withCode = [...findings, ...together].filter(({ code }) => code !== null);
  const [finding] = withCode;
  if (finding === undefined) return null;
  const of = withCode.filter(({ checkId }) => checkId === finding.checkId).length;
  return { finding, code: finding.code as string, of };
}

/** `Add to the head, for https://… (1 of 6)`: what to do with the code of a finding. */
export function codeText({ finding, code, of }: ShownCode, quote: (text: string) => string): string {
  const { edit, evidence } = finding;
  const what = edit === undefined ? 'Code' : editText(edit, code, quote);
  const where = edit !== undefined && !isOnPage(edit) ? what : `${what}, for ${quote(readableAddress(evidence.url))}`;
  return of < 2 ? where : `${where} (1 of ${count(of)})`;
}

/** All addresses with a finding of the issue. */
export const addressesOf = (issue: ReportIssue): number =>
  new Set(findingsOf(issue).map(({ evidence }) => evidence.url)).size;

/** Points, effort, difficulty and time to results of the fix. */
export function workText({ check, minutes, points }: ReportIssue): string {
  return [
    points > 0 && plural(points, 'point'),
    `about ${durationText(minutes)}`,
    check.difficulty,
    resultsText(check.timeToResult),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** One statement shared by findings of a cause, with the pages it applies to. */
export type Statement = { readonly finding: Finding; readonly pages: readonly string[] };

/** In the order found. Addresses that resolve to the same URL count as equal, however pages write them. */
export function statementsOf(findings: readonly Finding[]): readonly Statement[] {
  const statements = new Map<string, { finding: Finding; pages: Set<string> }>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const known = statements.get(key);
    if (known === undefined) statements.set(key, { finding, pages: new Set([finding.evidence.url]) });
    else known.pages.add(finding.evidence.url);
  }
  return [...statements.values()].map(({ finding, pages }) => ({ finding, pages: [...pages] }));
}

function keyOf({ message, evidence: { url, place, value } }: Finding): string {
  const quoted = quotedAddress(message, value, url);
  if (quoted === null) return [message, place, value].join('\n');
  return [...[message, place].map((text) => text.replaceAll(value, '')), quoted.href].join('\n');
}

/** Null if the value is no address that the message quotes. */
function quotedAddress(message: string, value: string, url: string): URL | null {
  return value !== '' && !/\s/.test(value) && message.includes(value) ? parseUrl(value, url) : null;
}

/**
 * `On all 40 pages, probably from a shared template: `; '' for a single page. Content texts are
 * assumed to be written per page, and no template writes a response header.
 */
export function extentText({ finding, pages }: Statement, audited: number): string {
  if (pages.length < 2) return '';
  const all = pages.length >= audited && audited > 2;
  const where = all ? `On all ${plural(audited, 'page')}` : `On ${plural(pages.length, 'address', 'addresses')}`;
  const { category, message, evidence } = finding;
  const isText = category === 'content' && quotedAddress(message, evidence.value, evidence.url) === null;
  const shared = !isText && headerAt(evidence.place) === null && audited > 2 && pages.length >= MOSTLY * audited;
  return `${where}${shared ? ', probably from a shared template' : ''}: `;
}

/** From this share of pages on, a template is the likely source. */
const MOSTLY = 0.8;

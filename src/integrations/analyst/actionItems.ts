/** Turns an issue into an action item: what is wrong, where, and what to do, in the site's own terms. */

import { editText, LONGEST_PLACE } from '../../model/edits.ts';
import type { Finding } from '../../model/findings.ts';
import { isWritten } from '../../model/issues/effort.ts';
import { findingsOf } from '../../model/issues/issues.ts';
import { headerAt, targetsOf } from '../../model/issues/relations.ts';
import { rootNote, rootText } from '../../model/issues/rootTexts.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import { readableText } from '../../model/readableAddress.ts';
import { count, listed, stepsText } from '../../model/wording.ts';
import type { AnalystAction } from './analyst.ts';
import { type AnalystIssue, reasonOf } from './issues.ts';
import { code, oneLine, prose, sentence } from './markdown.ts';

export const MAX_PAGES = 200;
/** Of the addresses of all pages: 200 usual ones have a fifth of that, 200 of the longest would not fit into an event. */
const MAX_PAGES_TEXT = 60_000;
export const MAX_EVIDENCE = 20;
/** Keeps an item well below the event store's limit; the text always states the true number. */
export const MAX_FINDING_IDS = 2000;
const MAX_URL = 2000;
const MAX_CODE = 8000;

/** The first pages, as many as an item can list. */
function listedPages(pages: readonly string[]): readonly string[] {
  const first = pages.slice(0, MAX_PAGES).map((url) => url.slice(0, MAX_URL));
  let characters = 0;
  const end = first.findIndex((url) => {
    characters += url.length;
    return characters > MAX_PAGES_TEXT;
  });
  return end < 0 ? first : first.slice(0, end);
}

/** A page's path in readable form, if it is short and cannot be mistaken for markup. */
function plainPath(url: string): string | null {
  const path = parseUrl(url)?.pathname ?? '';
  if (path === '/') return 'home page';
  return [readableText(path), path].find((text) => /^\/[\w./%\p{L}\p{M}\p{N}-]{0,60}$/u.test(text)) ?? null;
}

export function titleOf(issue: AnalystIssue): string {
  const title = oneLine(issue.title, 160);
  if (issue.wholeSite) return title;
  if (issue.pages.length > 1) return `${title} (${count(issue.pages.length, 'page')})`;
  const path = plainPath(issue.pages[0] ?? '');
  return path ? `${title} (${path})` : title;
}

/** One finding per page first, then the rest, so that the limited evidence shows as many pages as possible. */
function spread(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Set<string>();
  const first: Finding[] = [];
  const rest: Finding[] = [];
  for (const finding of findings) {
    (seen.has(finding.evidence.url) ? rest : first).push(finding);
    seen.add(finding.evidence.url);
  }
  return [...first, ...rest].slice(0, MAX_EVIDENCE);
}

/** Values that only repeat that something is missing. */
const MEANINGLESS = /^(?:missing|none|empty|no|not)\b|looked at$/i;
/** Places that stand for the whole page or its answer, which tell the reader nothing. */
const WHOLE_PAGE: ReadonlySet<string> = new Set(
  'html|body|main|article|head|headings|links|links and sameAs|script|doctype|status|size|url|redirects|canonical|sitemap|sitemap loc|lastmod|time to first byte|root'.split(
    '|',
  ),
);

/** The message already contains the value or its figures. */
function isMentioned(value: string, message: string): boolean {
  const figures = value.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return (
    message.includes(value) ||
    (figures.length > 0 && figures.every((figure) => message.includes(figure)) && !/[/<>]/.test(value))
  );
}

/** ` at \`line 5\`, which reads \`…\``: includes the value only if the message does not. */
function whereSeen({ message, evidence }: Finding): string {
  const [place, value] = [oneLine(evidence.place), oneLine(evidence.value, 200)];
  const whole = place === '' || WHOLE_PAGE.has(place);
  const where = whole ? '' : ` at ${code(place)}`;
  if (value === '' || MEANINGLESS.test(value) || isMentioned(value, message)) return where;
  return whole ? ` (${code(value, 200)})` : `${where}, which reads ${code(value, 200)}`;
}

/** Facts about where an issue occurs, appended to any wording. */
export function whereFound(issue: AnalystIssue): string {
  const [first] = issue.findings;
  if (!first) return '';
  const pages = issue.pages.length;
  const times = issue.findings.length > pages ? `, in ${count(issue.findings.length, 'place')}` : '';
  const place =
    pages > 1
      ? `Found ${issue.where}${times}, for example on ${code(first.evidence.url)}${whereSeen(first)}: ${sentence(prose(first.message))}`
      : `${first.evidence.place === 'status' && issue.wholeSite ? 'Checked' : 'Found on'} ${code(first.evidence.url)}${whereSeen(first)}${times}.`;
  const shown = listedPages(issue.pages).length;
  const listedOnly = pages > shown ? `The first ${shown} of the ${count(pages, 'page')} are listed below.` : '';
  const hint = issue.hint ? 'Optional: it doesn’t affect the score.' : '';
  return joined([
    place,
    rootText({ checkId: issue.check.id, roots: issue.roots, pages }, code) || behind(issue.findings),
    ...issue.joined.filter(({ kind }) => kind === 'together').map((other) => foundWith(other, pages)),
    listedOnly,
    hint,
  ]);
}

/** The message of what is fixed in the same edit, with its pages if they are only some of the issue's. */
function foundWith({ findings }: AnalystIssue['joined'][number], pages: number): string {
  const own = new Set(findings.map(({ evidence }) => evidence.url)).size;
  const message = sentence(prose(findings[0]?.message ?? ''));
  return own < pages ? `On ${count(own, 'page')}: ${message}` : message;
}

const SHOWN_TARGETS = 3;

/** States that many places share few targets, so few fixes are enough. */
function behind(findings: readonly Finding[]): string {
  const targets = targetsOf(findings);
  if (
    targets === null ||
    findings.length < 2 ||
    targets.addresses.length > SHOWN_TARGETS ||
    targets.addresses.length === findings.length
  )
    return '';
  const [only, ...more] = targets.addresses.map((address) => code(address));
  const all = findings.length === 2 ? 'Both' : 'All of them';
  if (more.length > 0)
    return `${all === 'Both' ? 'They' : all} ${targets.kind === 'link' ? 'lead to' : 'show'} ${count(more.length + 1, 'address', 'addresses')}: ${listed([only as string, ...more])}.`;
  return `${all} ${targets.kind === 'link' ? 'lead to' : 'show'} ${only}.`;
}

function joined(sentences: readonly string[]): string {
  return sentences.filter((part) => part !== '').join(' ');
}

function problemOf(issue: AnalystIssue): string {
  const what = issue.pages.length > 1 ? '' : sentence(prose(issue.findings[0]?.message ?? ''));
  return joined([what, sentence(issue.check.risk), whereFound(issue)]);
}

/** What else is resolved by fixing the issue. */
export function followsText(issues: readonly AnalystIssue[]): string {
  const titles = issues.flatMap((issue) =>
    issue.joined.filter(({ kind }) => kind === 'follows').map(({ check }) => `“${prose(check.title, 160)}”`),
  );
  return titles.length === 0 ? '' : `Also fixes ${listed([...new Set(titles)])}.`;
}

/** Findings with code written for their page. */
const ownCodes = ({ findings }: AnalystIssue): readonly Finding[] => findings.filter(({ code }) => code !== null);

/** Names the page that the code is for, and whether other pages need different code. */
function codeNote(issue: AnalystIssue): string {
  if (issue.pages.length < 2) return '';
  const own = ownCodes(issue);
  const [first] = own;
  if (first && new Set(own.map((finding) => finding.code)).size > 1) {
    const others = issue.pages.length === 2 ? 'the other page' : 'the other pages';
    return `The code is for ${code(first.evidence.url)}: adapt it for ${others}.`;
  }
  const known = issue.roots === null || isWritten(issue.check.id) ? '' : rootNote(issue.roots);
  if (known !== '') return known;
  if (issue.category === 'content') return 'Start with your most visited pages.';
  if (issue.roots !== null) return '';
  const seen = new Set(issue.findings.map(({ evidence }) => `${evidence.place}\n${evidence.value}`));
  const { place = '', value = '' } = issue.findings[0]?.evidence ?? {};
  if (seen.size > 1 || issue.check.of === 'addresses' || (WHOLE_PAGE.has(place) && !MEANINGLESS.test(value))) return '';
  return headerAt(place) !== null
    ? 'One server setting fixes all of them.'
    : 'It’s the same on every page: if it comes from a template, fix it there once.';
}

/** Tells code for any site from code that was written for this one, and names what has to be filled in. */
function exampleNote(issue: AnalystIssue): string {
  const example = codeOf(issue) === null ? exampleOf(issue) : null;
  if (example === null) return '';
  const blanks = [...new Set(example.match(/YOUR [A-Z][A-Z -]*[A-Z]/g) ?? [])].map((blank) => code(blank));
  return blanks.length === 0
    ? 'The code is an example.'
    : `The code is an example: replace ${listed(blanks)} with your own values.`;
}

/** What to do with the code of the page. */
function editNote(issue: AnalystIssue): string {
  const [first] = shownCodes(issue);
  if (first?.edit === undefined || first.code === null) return '';
  const what = editText(first.edit, first.code, (text) => code(text, LONGEST_PLACE));
  return `The code: ${what.replace(/^./, (letter) => letter.toLowerCase())}.`;
}

function solutionOf(issue: AnalystIssue): string {
  return joined([stepsText(issue.steps), editNote(issue), codeNote(issue), exampleNote(issue), followsText([issue])]);
}

const exampleOf = ({ check }: AnalystIssue): string | null => check.example?.after ?? null;

/** One page's code for the issue and for everything fixed with it, as far as it goes to the same place. */
function shownCodes(issue: AnalystIssue): readonly Finding[] {
  const [own] = ownCodes(issue);
  const page = (own ?? issue.findings[0])?.evidence.url;
  const others = issue.joined.flatMap(({ kind, findings }) =>
    kind === 'together' ? findings.filter(({ evidence }) => evidence.url === page).slice(0, 1) : [],
  );
  const [first, ...more] = [...(own === undefined ? [] : [own]), ...others].filter(({ code }) => code !== null);
  return first === undefined ? [] : [first, ...more.filter(({ edit }) => isSamePlace(edit, first.edit))];
}

/** What replaces the same would replace each other. Audits of earlier versions do not tell. */
const isSamePlace = (a: Finding['edit'], b: Finding['edit']): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.operation === 'add' && b.operation === 'add' && a.edits === b.edits && a.at === b.at && a.on === b.on;

function codeOf(issue: AnalystIssue): string | null {
  const parts = shownCodes(issue).flatMap(({ code }) => code ?? []);
  return parts.length === 0 ? null : parts.join('\n').slice(0, MAX_CODE);
}

function ownFindings({ findings, joined: others }: AnalystIssue): readonly Finding[] {
  return [...findings, ...others.filter(({ kind }) => kind === 'together').flatMap((other) => other.findings)];
}

/** All facts of an item, as opposed to its wording: a model never writes these. */
export function factsOf(
  issues: readonly [AnalystIssue, ...AnalystIssue[]],
): Omit<AnalystAction, 'title' | 'problem' | 'solution'> {
  const [lead] = issues;
  const findings = issues.flatMap(findingsOf);
  const checks = issues.flatMap((issue) => [
    issue.check,
    ...issue.joined.filter(({ kind }) => kind === 'together').map(({ check }) => check),
  ]);
  const rank = { easy: 0, medium: 1, hard: 2 } as const;
  return {
    id: lead.check.id,
    checkId: lead.check.id,
    findingIds: findings.slice(0, MAX_FINDING_IDS).map((finding) => finding.id),
    category: lead.category,
    impact: lead.impact,
    optional: issues.every((issue) => issue.hint),
    difficulty: checks.map((check) => check.difficulty).reduce((a, b) => (rank[b] > rank[a] ? b : a)),
    timeEstimate: issues.reduce((sum, issue) => sum + issue.minutes, 0),
    businessValue: lead.check.gain,
    timeToResult: lead.check.timeToResult,
    reason: reasonOf(issues),
    codeExample: [...issues.map(codeOf), exampleOf(lead)].find((text) => text !== null) ?? null,
    tags: [...new Set(checks.flatMap((check) => check.tags))],
    pages: listedPages([...new Set(issues.flatMap((issue) => issue.pages))]),
    // Findings that merely follow are only named: fixing the issue resolves them.
    evidence: spread(issues.flatMap(ownFindings)).map(({ evidence }) => ({
      url: evidence.url.slice(0, MAX_URL),
      place: oneLine(evidence.place, 300),
      value: oneLine(evidence.value, 500),
    })),
  };
}

/** The built-in wording of one issue. */
export function actionOf(issue: AnalystIssue): AnalystAction {
  return { ...factsOf([issue]), title: titleOf(issue), problem: problemOf(issue), solution: solutionOf(issue) };
}

/** Turns a cause into an action item: what is wrong, where, and what to do, in the site's own terms. */

import type { Finding } from '../../model/findings.ts';
import { targetsOf } from '../../model/issues/relations.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import { readableText } from '../../model/readableAddress.ts';
import type { AnalystAction } from './analyst.ts';
import { type Cause, findingsOf, isWritten, reasonOf } from './causes.ts';
import { code, oneLine, prose, sentence } from './markdown.ts';
import { rootNote, rootText } from './roots.ts';
import { count, listed } from './wording.ts';

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

export function titleOf(cause: Cause): string {
  const title = oneLine(cause.title, 160);
  if (cause.where === 'for the whole site') return title;
  if (cause.pages.length > 1) return `${title} (${count(cause.pages.length, 'page')})`;
  const path = plainPath(cause.pages[0] ?? '');
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

/** Facts about where a cause occurs, appended to any wording. */
export function whereFound(cause: Cause): string {
  const [first] = cause.findings;
  if (!first) return '';
  const pages = cause.pages.length;
  const times = cause.findings.length > pages ? `, in ${count(cause.findings.length, 'place')}` : '';
  const place =
    pages > 1
      ? `Found ${cause.where}${times}; for example on ${code(first.evidence.url)}${whereSeen(first)}: ${sentence(prose(first.message))}`
      : `${first.evidence.place === 'status' && cause.where === 'for the whole site' ? 'Looked for at' : 'Found on'} ${code(first.evidence.url)}${whereSeen(first)}${times}.`;
  const shown = listedPages(cause.pages).length;
  const listedOnly = pages > shown ? `The first ${shown} of the ${count(pages, 'page')} are listed below.` : '';
  const hint = cause.hint ? 'This is optional: it does not lower the score.' : '';
  return joined([
    place,
    rootText(cause.roots, pages, isWritten(cause.check.id)) || behind(cause.findings),
    ...cause.joined.filter(({ kind }) => kind === 'together').map(foundWith),
    listedOnly,
    hint,
  ]);
}

/** The message of an issue to fix in the same edit. */
function foundWith({ findings }: Cause['joined'][number]): string {
  return sentence(prose(findings[0]?.message ?? ''));
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

function problemOf(cause: Cause): string {
  const what = cause.pages.length > 1 ? '' : sentence(prose(cause.findings[0]?.message ?? ''));
  return joined([what, sentence(cause.check.why), whereFound(cause)]);
}

/** What else is resolved by fixing the cause. */
export function followsText(causes: readonly Cause[]): string {
  const titles = causes.flatMap((cause) =>
    cause.joined.filter(({ kind }) => kind === 'follows').map(({ check }) => `“${prose(check.title, 160)}”`),
  );
  return titles.length === 0 ? '' : `Also fixes ${listed([...new Set(titles)])}.`;
}

/** Findings with code written for their page, rather than the check's general example. */
function ownCodes({ check, findings }: Cause): readonly Finding[] {
  return findings.filter((finding) => finding.code !== null && finding.code !== check.codeExample);
}

/** Names the page that the code is for, and whether other pages need different code. */
function codeNote(cause: Cause): string {
  if (cause.pages.length < 2) return '';
  const own = ownCodes(cause);
  const [first] = own;
  if (first && new Set(own.map((finding) => finding.code)).size > 1) {
    const others =
      cause.pages.length === 2
        ? 'the other page needs the same with its own values'
        : 'the other pages need the same with their own values';
    return `The code is written for ${code(first.evidence.url)}; ${others}.`;
  }
  const known = cause.roots === null || isWritten(cause.check.id) ? '' : rootNote(cause.roots);
  if (known !== '') return known;
  if (cause.category === 'content') return 'Begin with the pages that most visitors see.';
  if (cause.roots !== null) return '';
  const seen = new Set(cause.findings.map(({ evidence }) => `${evidence.place}\n${evidence.value}`));
  const { place = '', value = '' } = cause.findings[0]?.evidence ?? {};
  if (seen.size > 1 || cause.check.of === 'addresses' || (WHOLE_PAGE.has(place) && !MEANINGLESS.test(value))) return '';
  const ofServer = place.startsWith('header ');
  return ofServer
    ? 'One server setting fixes all of them.'
    : 'It is the same on every page: if a template writes it, fix it once in the template.';
}

/** Placeholders in code for values that the page does not provide. */
const STANDS_IN: readonly string[] = [
  '0.00',
  'Name of the author',
  'Say what the image shows',
  'Say where this leads',
  '/address-of-the-page',
  'your-company',
  '/preview.jpg',
  '/share-1200x630.jpg',
  '2026-06-01T19:00+02:00',
  '2026-01-31',
  'PT45M',
];
/** Placeholders only when quoted. */
const GAPS: readonly string[] = ['…', '...'];

function placeholderNote(example: string | null): string {
  const found = [
    ...STANDS_IN.filter((text) => example?.includes(text)),
    ...GAPS.filter((text) => example?.includes(`"${text}"`)),
  ];
  return found.length === 0 ? '' : `Put your own values in place of ${listed(found.map((text) => code(text)))}.`;
}

function solutionOf(cause: Cause): string {
  return joined([sentence(cause.fix), codeNote(cause), placeholderNote(codeOf(cause)), followsText([cause])]);
}

/** One page's code for the cause and for everything fixed in the same edit. */
function codeOf(cause: Cause): string | null {
  const own = ownCodes(cause)[0] ?? cause.findings.find((finding) => finding.code !== null);
  const page = (own ?? cause.findings[0])?.evidence.url;
  const others = cause.joined.flatMap(({ kind, findings }) =>
    kind === 'together'
      ? [(findings.find((finding) => finding.evidence.url === page) ?? findings[0])?.code ?? null]
      : [],
  );
  const parts = [own?.code ?? null, ...others].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('\n').slice(0, MAX_CODE);
}

function ownFindings({ findings, joined: others }: Cause): readonly Finding[] {
  return [...findings, ...others.filter(({ kind }) => kind === 'together').flatMap((other) => other.findings)];
}

/** All facts of an item, as opposed to its wording: a model never writes these. */
export function factsOf(causes: readonly [Cause, ...Cause[]]): Omit<AnalystAction, 'title' | 'problem' | 'solution'> {
  const [lead] = causes;
  const findings = causes.flatMap(findingsOf);
  const checks = causes.flatMap((cause) => [
    cause.check,
    ...cause.joined.filter(({ kind }) => kind === 'together').map(({ check }) => check),
  ]);
  const rank = { easy: 0, medium: 1, hard: 2 } as const;
  return {
    id: lead.check.id,
    checkId: lead.check.id,
    findingIds: findings.slice(0, MAX_FINDING_IDS).map((finding) => finding.id),
    category: lead.category,
    impact: lead.impact,
    optional: causes.every((cause) => cause.hint),
    difficulty: checks.map((check) => check.difficulty).reduce((a, b) => (rank[b] > rank[a] ? b : a)),
    timeEstimate: causes.reduce((sum, cause) => sum + cause.minutes, 0),
    businessValue: lead.check.businessValue,
    timeToResult: lead.check.timeToResult,
    reason: reasonOf(causes),
    codeExample: causes.map(codeOf).find((own) => own !== null) ?? null,
    tags: [...new Set(checks.flatMap((check) => check.tags))],
    pages: listedPages([...new Set(causes.flatMap((cause) => cause.pages))]),
    // Findings that merely follow are only named: fixing the cause resolves them.
    evidence: spread(causes.flatMap(ownFindings)).map(({ evidence }) => ({
      url: evidence.url.slice(0, MAX_URL),
      place: oneLine(evidence.place, 300),
      value: oneLine(evidence.value, 500),
    })),
  };
}

/** The built-in wording of one cause. */
export function actionOf(cause: Cause): AnalystAction {
  return { ...factsOf([cause]), title: titleOf(cause), problem: problemOf(cause), solution: solutionOf(cause) };
}

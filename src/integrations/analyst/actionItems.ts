/** From a cause to an action item: what is wrong, where, and what to do, in the site's own terms. */
import type { AnalystAction, AnalystFinding } from './analyst.ts';
import type { Cause } from './causes.ts';
import { code, oneLine, prose, sentence } from './markdown.ts';
import { count } from './wording.ts';

export const MAX_PAGES = 200;
export const MAX_EVIDENCE = 20;
/** Keeps one item well under the event store's limit; the text always says the true number. */
export const MAX_FINDING_IDS = 2000;
const MAX_URL = 2000;

/** The path of a page when it is short and holds nothing that could be taken for markup. */
function plainPath(url: string): string | null {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /^\/[\w./%-]{0,60}$/.test(path) && path.length > 1 ? path : null;
}

export function titleOf(cause: Cause): string {
  const title = oneLine(cause.check.title, 160);
  if (cause.pages.length > 1) return `${title} (${count(cause.pages.length, 'page')})`;
  const path = plainPath(cause.pages[0] ?? '');
  return path ? `${title} (${path})` : title;
}

/** One of each page first, then the rest, so that twenty pieces of evidence show as many pages as they can. */
function spread(findings: readonly AnalystFinding[]): readonly AnalystFinding[] {
  const seen = new Set<string>();
  const first: AnalystFinding[] = [];
  const rest: AnalystFinding[] = [];
  for (const finding of findings) {
    (seen.has(finding.evidence.url) ? rest : first).push(finding);
    seen.add(finding.evidence.url);
  }
  return [...first, ...rest].slice(0, MAX_EVIDENCE);
}

function whereSeen(finding: AnalystFinding): string {
  const { place, value } = finding.evidence;
  const where = place.trim() === '' ? '' : ` at ${code(place)}`;
  if (value.trim() === 'missing') return `${where}, where it is missing`;
  return value.trim() === '' ? where : `${where}, where it reads ${code(value, 200)}`;
}

/** Where a cause shows: facts, added to whatever wording goes before. */
export function whereFound(cause: Cause): string {
  const [first] = cause.findings;
  if (!first) return '';
  const pages = cause.pages.length;
  const times = cause.findings.length > pages ? `, ${count(cause.findings.length, 'place')} in all` : '';
  const place =
    pages > 1
      ? `Found on ${count(pages, 'page')}${times}; for example on ${code(first.evidence.url)}${whereSeen(first)}: ${sentence(prose(first.message))}`
      : `Found on ${code(first.evidence.url)}${whereSeen(first)}${times}.`;
  const listedOnly = pages > MAX_PAGES ? `The first ${MAX_PAGES} of the ${count(pages, 'page')} are listed below.` : '';
  const hint = cause.hint ? 'This is a hint: it does not lower the score.' : '';
  return joined([place, listedOnly, hint]);
}

function joined(sentences: readonly string[]): string {
  return sentences.filter((part) => part !== '').join(' ');
}

function problemOf(cause: Cause): string {
  const what = cause.pages.length > 1 ? '' : sentence(prose(cause.findings[0]?.message ?? ''));
  return joined([what, sentence(cause.check.why), whereFound(cause)]);
}

function solutionOf(cause: Cause, ownCode: AnalystFinding | undefined): string {
  const parts = [sentence(cause.check.fix)];
  if (ownCode)
    parts.push(`The code is written for ${code(ownCode.evidence.url)}${cause.pages.length > 1 ? '; the other pages need the same with their own texts' : ''}.`);
  else if (cause.pages.length > 1) parts.push(`It holds for all ${count(cause.pages.length, 'page')}: where they share a template, mend it there once.`);
  return parts.join(' ');
}

/** Everything in an item that is a fact and not wording: a model never writes these. */
export function factsOf(causes: readonly [Cause, ...Cause[]]): Omit<AnalystAction, 'title' | 'problem' | 'solution'> {
  const [lead] = causes;
  const findings = causes.flatMap((cause) => cause.findings);
  const rank = { easy: 0, medium: 1, hard: 2 } as const;
  return {
    id: lead.check.id,
    checkId: lead.check.id,
    findingIds: findings.slice(0, MAX_FINDING_IDS).map((finding) => finding.id),
    category: lead.category,
    impact: lead.impact,
    difficulty: causes.map((cause) => cause.check.difficulty).reduce((a, b) => (rank[b] > rank[a] ? b : a)),
    timeEstimate: causes.reduce((sum, cause) => sum + cause.minutes, 0),
    businessValue: lead.check.businessValue,
    timeToResult: lead.check.timeToResult,
    codeExample: findings.find((finding) => finding.code !== null)?.code ?? lead.check.codeExample,
    tags: [...new Set(causes.flatMap((cause) => cause.check.tags))],
    pages: [...new Set(causes.flatMap((cause) => cause.pages))].slice(0, MAX_PAGES).map((url) => url.slice(0, MAX_URL)),
    evidence: spread(findings).map(({ evidence }) => ({
      url: evidence.url.slice(0, MAX_URL),
      place: oneLine(evidence.place, 300),
      value: oneLine(evidence.value, 500),
    })),
  };
}

/** The built-in wording of one cause. */
export function actionOf(cause: Cause): AnalystAction {
  const ownCode = cause.findings.find((finding) => finding.code !== null);
  return { ...factsOf([cause]), title: titleOf(cause), problem: problemOf(cause), solution: solutionOf(cause, ownCode) };
}

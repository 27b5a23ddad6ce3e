/**
 * The one record of an issue: a check that failed, on all its pages, with the findings that depend on it. Tasks,
 * summaries, reports, screens, and the API all print from it, and list issues in its order. Pure.
 */
import { type Finding, IMPACTS, type Impact } from '../findings.ts';
import { ascending } from '../order.ts';
import { count } from '../wording.ts';
import { editsFor, minutesFor } from './effort.ts';
import { type Kind, type Related, relate } from './relations.ts';
import { type Root, rootsOf } from './roots.ts';

/** The catalog's entry of a check, as far as issues depend on it. */
export type IssueCheck = {
  readonly id: string;
  readonly title: string;
  /** For the first place. */
  readonly minutes: number;
  readonly steps: readonly string[];
  /** `steps` is a placeholder for text that must not be disclosed. */
  readonly locked?: boolean;
  /** Pages (or addresses) that it looked at, and how many of them failed; null or absent where it counts none. */
  readonly looked?: number | null;
  readonly failed?: number;
  /** What it looks at, if not the content of pages: all requested addresses, or the site as a whole. */
  readonly of?: IssueScope;
};

/** Beside the content of pages. */
export const ISSUE_SCOPES = ['addresses', 'site'] as const;
export type IssueScope = (typeof ISSUE_SCOPES)[number];

/** Findings of another check that are fixed together with the issue's own. */
export type JoinedFindings<Check> = {
  readonly check: Check;
  readonly kind: Kind;
  readonly findings: readonly Finding[];
};

export type Issue<Check extends IssueCheck = IssueCheck> = {
  /** Its id is that of the issue. */
  readonly check: Check;
  /** The check's title, or that of the group if others are joined to it. */
  readonly title: string;
  readonly steps: readonly string[];
  readonly category: Finding['category'];
  readonly impact: Impact;
  /** Optional: all its findings are hints, which do not lower the score. */
  readonly hint: boolean;
  readonly findings: readonly Finding[];
  readonly joined: readonly JoinedFindings<Check>[];
  /** What its own findings are fixed by, that of most pages first; null for audits of earlier versions. */
  readonly roots: readonly Root[] | null;
  /** Distinct pages of its own findings, in the order found. */
  readonly pages: readonly string[];
  /** It concerns the site as a whole, wherever it was found. */
  readonly wholeSite: boolean;
  /** `on 12 of 14 pages`, `for the whole site`. */
  readonly where: string;
  /** To fix it everywhere. */
  readonly minutes: number;
  /** Points of the score that it costs. */
  readonly points: number;
  /** Cap on the score while the issue exists; null for most. */
  readonly cap: number | null;
};

/** What issues are gathered from. */
export type IssueInput<Check extends IssueCheck> = {
  readonly pagesAudited: number;
  readonly findings: readonly Finding[];
  /** Checks with findings; findings of others are left out. */
  readonly checks: readonly Check[];
  /** Caps on the score that other fixes cannot lift, and the checks that are the reason. */
  readonly limits?: readonly { readonly cap: number; readonly checkIds?: readonly string[] | undefined }[];
  /** Points of the score that each check costs. */
  readonly points?: readonly { readonly checkId: string; readonly points: number }[];
};

/** Every finding is in exactly one issue; in the one order of all lists. */
export function gatherIssues<Check extends IssueCheck>(input: IssueInput<Check>): readonly Issue<Check>[] {
  const checks = new Map(input.checks.map((check) => [check.id, check]));
  const known = input.findings.filter(({ checkId }) => checks.has(checkId));
  const listed = new Map<string, Set<string>>();
  for (const { checkId, evidence } of known) {
    const pages = listed.get(checkId);
    if (pages) pages.add(evidence.url);
    else listed.set(checkId, new Set([evidence.url]));
  }
  return relate(known)
    .map((related) => issueOf(related, checks, { ...input, listed }))
    .sort(compareIssues);
}

function issueOf<Check extends IssueCheck>(
  related: Related,
  checks: ReadonlyMap<string, Check>,
  site: IssueInput<Check> & { readonly listed: ReadonlyMap<string, ReadonlySet<string>> },
): Issue<Check> {
  const { findings } = related;
  const checkOf = (checkId: string): Check => checks.get(checkId) as Check;
  const check = checkOf(related.checkId);
  const joined = related.joined.map(({ checkId, ...rest }) => ({ check: checkOf(checkId), ...rest }));
  const together = joined.filter(({ kind }) => kind === 'together');
  const all = [...findings, ...joined.flatMap((other) => other.findings)];
  const pages = pagesOf(findings);
  const roots = rootsOf(findings);
  const locked = [check, ...joined.map((other) => other.check)].find((one) => one.locked === true);
  return {
    check,
    title: related.as?.title ?? check.title,
    steps: locked?.steps ?? related.as?.steps ?? check.steps,
    category: findings[0]?.category ?? 'technical',
    impact: impactOf(findings, together, all),
    hint: all.every((finding) => finding.hint),
    findings,
    joined,
    roots,
    pages,
    ...reachOf(check, pages, { listed: site.listed.get(check.id)?.size ?? 0, audited: site.pagesAudited }),
    cap: capOf(check, site),
    points: pointsOf([check, ...together.map((other) => other.check)], site),
    minutes: together.reduce(
      (sum, other) => sum + minutesFor(other.check, editsFor(other.findings, pagesOf(other.findings).length)),
      minutesFor(check, editsFor(findings, pages.length, roots)),
    ),
  };
}

function pagesOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map((finding) => finding.evidence.url))];
}

/** Findings that merely follow do not raise the impact, unless the issue itself costs no points. */
function impactOf(
  findings: readonly Finding[],
  together: readonly { readonly findings: readonly Finding[] }[],
  all: readonly Finding[],
): Impact {
  const own = [...findings, ...together.flatMap((other) => other.findings)];
  const weighing = [own.filter(({ hint }) => !hint), all.filter(({ hint }) => !hint), all].find(
    (some) => some.length > 0,
  );
  return IMPACTS.find((impact) => weighing?.some((finding) => finding.impact === impact)) ?? 'low';
}

function capOf({ id }: IssueCheck, { limits = [] }: IssueInput<IssueCheck>): number | null {
  const caps = limits.filter(({ checkIds = [] }) => checkIds.includes(id)).map(({ cap }) => cap);
  return caps.length === 0 ? null : Math.min(...caps);
}

function pointsOf(checks: readonly IssueCheck[], { points = [] }: IssueInput<IssueCheck>): number {
  const ids = new Set(checks.map(({ id }) => id));
  const tenths = points
    .filter(({ checkId }) => ids.has(checkId))
    .reduce((sum, each) => sum + Math.round(each.points * 10), 0);
  return tenths / 10;
}

const NOUNS = { pages: 'page', addresses: 'address' } as const;

function reachOf(
  { looked = null, failed = 0, of }: IssueCheck,
  pages: readonly string[],
  { listed, audited }: { readonly listed: number; readonly audited: number },
): Pick<Issue, 'where' | 'wholeSite'> {
  if (of === 'site') return { wholeSite: true, where: 'for the whole site' };
  // A very large issue does not list all its findings, so the count may exceed their pages; what follows from another
  // issue is not among them.
  const n = Math.max(pages.length, failed - (listed - pages.length));
  const where =
    looked === null || looked < n
      ? n > 1
        ? `on ${count(n, 'page')}`
        : 'on 1 page'
      : shareText(n, looked, of ?? 'pages', looked < audited);
  return { wholeSite: false, where };
}

function shareText(n: number, looked: number, of: keyof typeof NOUNS, isPart: boolean): string {
  const nouns = count(looked, NOUNS[of], of);
  const concerned = of === 'pages' && isPart ? ' it applies to' : '';
  if (n < looked) return `on ${n.toLocaleString('en-US')} of ${concerned === '' ? '' : 'the '}${nouns}${concerned}`;
  if (looked === 1) return `on the only ${NOUNS[of]}${concerned}`;
  return looked === 2 ? `on both ${of}${concerned}` : `on all ${nouns}${concerned}`;
}

/** What keeps pages from being found first, what costs no points last. */
export function compareKinds(a: Issue, b: Issue): number {
  return Number(a.hint) - Number(b.hint) || Number(b.cap !== null) - Number(a.cap !== null);
}

export const compareImpact = (a: Impact, b: Impact): number => IMPACTS.indexOf(a) - IMPACTS.indexOf(b);

/** The one order of all lists: kind, then impact, then points gained per minute, then the check's id. */
export function compareIssues(a: Issue, b: Issue): number {
  return (
    compareKinds(a, b) ||
    compareImpact(a.impact, b.impact) ||
    b.points / b.minutes - a.points / a.minutes ||
    ascending(a.check.id, b.check.id)
  );
}

/** Findings of the issue's checks that are not listed, because there were too many of the same. */
export function omittedOf(
  { check, joined }: Issue,
  outcomes: readonly { readonly checkId: string; readonly omitted: number }[],
): number {
  const ids = new Set([check.id, ...joined.map((other) => other.check.id)]);
  return outcomes.filter(({ checkId }) => ids.has(checkId)).reduce((sum, { omitted }) => sum + omitted, 0);
}

/** All findings resolved by fixing the issue: its own, then those that depend on it. */
export function findingsOf(issue: Issue): readonly Finding[] {
  return issue.joined.length === 0
    ? issue.findings
    : [...issue.findings, ...issue.joined.flatMap((other) => other.findings)];
}

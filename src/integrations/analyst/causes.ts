/** Groups findings by cause: one check that failed, on all its pages, with the findings that depend on it. */
import type { Finding } from '../../model/findings.ts';
import { type Kind, type Related, relate, targetsOf } from '../../model/issues/relations.ts';
import { ascending } from '../../model/order.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { AnalystCheck, AnalystInput } from './analyst.ts';
import { type Root, rootsOf } from './roots.ts';
import { about, count, duration } from './wording.ts';

/** Findings of another check that are fixed together with the cause's own. */
export type JoinedCause = { readonly check: AnalystCheck; readonly kind: Kind; readonly findings: readonly Finding[] };

export type Cause = {
  readonly check: AnalystCheck;
  /** The check's title, or that of the group if others are joined to it. */
  readonly title: string;
  readonly fix: string;
  readonly category: Finding['category'];
  readonly impact: Finding['impact'];
  /** All its findings are hints: reported, but they do not lower the score. */
  readonly hint: boolean;
  readonly findings: readonly Finding[];
  readonly joined: readonly JoinedCause[];
  /** What its own findings are fixed by, that of most pages first; null for audits of earlier versions. */
  readonly roots: readonly Root[] | null;
  /** Distinct pages of its own findings, in the order found. */
  readonly pages: readonly string[];
  /** `on 12 of 14 pages`, `for the whole site`. */
  readonly where: string;
  /** 0 to 1: the share of what was checked that is affected. */
  readonly share: number;
  readonly minutes: number;
  /** Points of the score that it costs. */
  readonly points: number;
  /** Cap on the score while the cause exists; null for most. */
  readonly cap: number | null;
};

type Site = Pick<AnalystInput, 'url' | 'pagesAudited' | 'limits' | 'points'>;

const IMPACT_RANK = { high: 0, medium: 1, low: 2 } as const;
/** Share for a site check with a single address: counts more than one page of many, but less than the whole site. */
const ONE_PLACE = 1 / 3;
/** No item is estimated at more than a working day, or a working week of writing. */
const MAX_MINUTES = 480;
const MAX_WRITING_MINUTES = 5 * MAX_MINUTES;

/** Texts that are written for each page; one edit of a template gives every page the right value of anything else. */
const WRITTEN: ReadonlySet<string> = new Set([
  'description-duplicate',
  'description-length',
  'description-missing',
  'duplicate-content',
  'h1-missing',
  'hard-to-read',
  'image-alt-missing',
  'image-alt-poor',
  'no-subheadings',
  'placeholder-text',
  'thin-content',
  'title-duplicate',
  'title-generic',
  'title-h1-mismatch',
  'title-missing',
  'title-too-long',
  'title-too-short',
]);

export function compareImpact(a: Finding['impact'], b: Finding['impact']): number {
  return IMPACT_RANK[a] - IMPACT_RANK[b];
}

/** Each page needs a text of its own. */
export const isWritten = (checkId: string): boolean => WRITTEN.has(checkId);

/**
 * Number of separate fixes a cause needs. A missing page needs one, no matter how many links lead to it; an image needs
 * one wherever it is shown. Texts are written page by page; anything else is fixed once per root cause, or, where the
 * audit names none, per distinct thing found (a template's issue looks the same on all pages).
 */
function repairs(findings: readonly Finding[], pages: number, roots = rootsOf(findings)): number {
  const targets = targetsOf(findings);
  if (targets !== null) return targets.addresses.length;
  if (isWritten(findings[0]?.checkId ?? '')) return pages;
  if (roots !== null) return roots.length;
  return new Set(findings.map((finding) => `${finding.evidence.place}\n${finding.evidence.value}`)).size;
}

/**
 * The first fix takes the check's time. Of texts, each further one takes a third of it; of anything else the next nine
 * do, and the rest a tenth.
 */
export function estimateMinutes({ id, minutes: base }: Pick<AnalystCheck, 'id' | 'minutes'>, count: number): number {
  const written = isWritten(id);
  const next = Math.min(Math.max(count - 1, 0), written ? count : 9);
  const further = written ? 0 : Math.max(count - 10, 0);
  const most = Math.max(base, written ? MAX_WRITING_MINUTES : MAX_MINUTES);
  const total = Math.min(base + (base * next) / 3 + (base * further) / 10, most);
  const step = total < 15 ? 1 : 5;
  return Math.max(1, Math.round(total / step) * step);
}

/**
 * Used if the catalog has no entry, so that no finding is lost. Contains no site text, because titles are shown
 * unescaped.
 */
function checkFromFinding(finding: Finding): AnalystCheck {
  return {
    id: finding.checkId,
    title: finding.checkId.charAt(0).toUpperCase() + finding.checkId.slice(1).replaceAll('-', ' '),
    difficulty: 'medium',
    minutes: 30,
    businessValue: '',
    timeToResult: 'unknown',
    why: '',
    fix: 'Fix what the evidence shows.',
    codeExample: null,
    tags: [],
  };
}

function pagesOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map((finding) => finding.evidence.url))];
}

function causeOf(related: Related, checkOf: (findings: readonly Finding[]) => AnalystCheck, site: Site): Cause {
  const { findings } = related;
  const check = checkOf(findings);
  const joined = related.joined.map(({ kind, findings: others }) => ({
    check: checkOf(others),
    kind,
    findings: others,
  }));
  const pages = pagesOf(findings);
  const all = [...findings, ...joined.flatMap((other) => other.findings)];
  const together = joined.filter(({ kind }) => kind === 'together');
  const roots = rootsOf(findings);
  const minutes = estimateMinutes(check, repairs(findings, pages.length, roots));
  // Findings that merely follow do not raise the impact, unless the cause itself costs no points.
  const weighing = [...findings, ...together.flatMap((other) => other.findings)];
  const [worst] =
    [weighing.filter((finding) => !finding.hint), all.filter((finding) => !finding.hint), all]
      .find((some) => some.length > 0)
      ?.toSorted((a, b) => compareImpact(a.impact, b.impact)) ?? [];
  const locked = [check, ...joined.map((other) => other.check)].find((one) => one.locked === true);
  return {
    check,
    title: related.as?.title ?? check.title,
    fix: locked?.fix ?? related.as?.fix ?? check.fix,
    category: findings[0]?.category ?? 'technical',
    impact: worst?.impact ?? 'low',
    hint: all.every((finding) => finding.hint),
    findings,
    joined,
    roots,
    pages,
    ...extentOf(check, pages, site),
    cap: capOf(check, site),
    points: pointsOf([check, ...together.map((other) => other.check)], site),
    minutes: together.reduce(
      (sum, other) => sum + estimateMinutes(other.check, repairs(other.findings, pagesOf(other.findings).length)),
      minutes,
    ),
  };
}

function capOf({ id }: AnalystCheck, { limits = [] }: Site): number | null {
  const caps = limits.filter(({ checkIds }) => checkIds.includes(id)).map(({ cap }) => cap);
  return caps.length === 0 ? null : Math.min(...caps);
}

function pointsOf(checks: readonly AnalystCheck[], { points = [] }: Site): number {
  const ids = new Set(checks.map(({ id }) => id));
  return points.filter(({ checkId }) => ids.has(checkId)).reduce((sum, each) => sum + each.points, 0);
}

/** The home page, and files that apply to the whole site. */
function speaksForSite(address: string, { url }: Site): boolean {
  const parsed = parseUrl(address);
  if (parsed === null) return false;
  const { pathname, search } = parsed;
  return address === url || (search === '' && /^\/(?:[\w.-]+\.(?:txt|xml|xml\.gz|ico|webmanifest))?$/.test(pathname));
}

function extentOf(
  { looked = null, failed = 0, of }: AnalystCheck,
  pages: readonly string[],
  site: Site,
): Pick<Cause, 'where' | 'share'> {
  // A very large cause does not list all its findings, so the count may exceed their pages.
  const n = Math.max(pages.length, failed);
  if (looked === null || looked < n) {
    if (n > 1) return { where: `on ${count(n, 'page')}`, share: Math.min(1, n / Math.max(site.pagesAudited, n)) };
    return speaksForSite(pages[0] ?? '', site)
      ? { where: 'for the whole site', share: 1 }
      : { where: 'in one place', share: ONE_PLACE };
  }
  const noun = of === 'addresses' ? 'address' : 'page';
  const plural = of ?? 'pages';
  const nouns = count(looked, noun, plural);
  if (n < looked) return { where: `on ${n.toLocaleString('en-US')} of ${nouns}`, share: n / looked };
  const concerned = of === undefined && looked < site.pagesAudited ? ' it applies to' : '';
  return {
    where:
      looked === 1
        ? `on the one ${noun}${concerned}`
        : looked === 2
          ? `on both ${plural}${concerned}`
          : `on all ${nouns}${concerned}`,
    share: 1,
  };
}

/** Explains the cause's rank in one sentence. */
export function reasonOf(causes: readonly [Cause, ...Cause[]]): string {
  const [{ impact, where, hint, cap }] = causes;
  const minutes = causes.reduce((sum, cause) => sum + cause.minutes, 0);
  if (hint) return `A suggestion that costs no points, for ${about(minutes)}.`;
  if (cap !== null)
    return `As long as it is there, the score cannot be higher than ${cap}: fix it first, for ${about(minutes)}.`;
  return `${impact.charAt(0).toUpperCase()}${impact.slice(1)} impact ${where}, for ${about(minutes)}.`;
}

function byId(a: Cause, b: Cause): number {
  return ascending(a.check.id, b.check.id);
}

/** Causes that cap the score first, hints last. */
export function compareKinds(a: Cause, b: Cause): number {
  return Number(a.hint) - Number(b.hint) || Number(b.cap !== null) - Number(a.cap !== null);
}

/**
 * The one order of all lists: what keeps pages from being found, then by impact, then by points gained per minute, then
 * by check id; what costs no points comes last.
 */
export function compareCauses(a: Cause, b: Cause): number {
  return (
    compareKinds(a, b) ||
    compareImpact(a.impact, b.impact) ||
    b.points / b.minutes - a.points / a.minutes ||
    b.share - a.share ||
    byId(a, b)
  );
}

/** Puts every finding in exactly one cause, in the one order of all lists. */
export function gatherCauses(input: Pick<AnalystInput, 'findings' | 'checks'> & Site): readonly Cause[] {
  const checks = new Map(input.checks.map((check) => [check.id, check]));
  const checkOf = ([first]: readonly Finding[]): AnalystCheck =>
    checks.get((first as Finding).checkId) ?? checkFromFinding(first as Finding);
  return relate(input.findings)
    .map((related) => causeOf(related, checkOf, input))
    .sort(compareCauses);
}

/** A cause that one person can fix in one sitting. */
export function isQuickWin(
  cause: Pick<Cause, 'minutes'> & { readonly check: Pick<AnalystCheck, 'difficulty'> },
): boolean {
  return cause.check.difficulty === 'easy' && cause.minutes <= 30;
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

/** The causes that are tasks; notes are only reported. */
export function gatherTasks(input: Parameters<typeof gatherCauses>[0]): readonly Cause[] {
  return gatherCauses(input).filter(({ hint, check }) => !hint || !NOTES.has(check.id));
}

/** All findings resolved by fixing the cause. */
export function findingsOf(cause: Cause): readonly Finding[] {
  return cause.joined.length === 0
    ? cause.findings
    : [...cause.findings, ...cause.joined.flatMap((other) => other.findings)];
}

/** `20 minutes of work`, in words. */
export function workOf(causes: readonly Cause[]): string {
  return duration(causes.reduce((sum, cause) => sum + cause.minutes, 0));
}

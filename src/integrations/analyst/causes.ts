/** Groups findings by cause: one check that failed, on all its pages, with the findings that depend on it. */
import type { Finding } from '../../model/findings.ts';
import { type Kind, type Related, relate, targetsOf } from '../../model/issues/relations.ts';
import { ascending } from '../../model/order.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { AnalystCheck, AnalystInput } from './analyst.ts';
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
  /** Distinct pages of its own findings, in the order found. */
  readonly pages: readonly string[];
  /** `on 12 of 14 pages`, `for the whole site`. */
  readonly where: string;
  /** 0 to 1: the share of what was checked that is affected. */
  readonly share: number;
  readonly minutes: number;
  /** Cap on the score while the cause exists; null for most. */
  readonly cap: number | null;
};

type Site = Pick<AnalystInput, 'url' | 'pagesAudited' | 'limits'>;

const IMPACT_RANK = { high: 0, medium: 1, low: 2 } as const;
const IMPACT_VALUE = { high: 16, medium: 4, low: 1 } as const;
/** Share for a site check with a single address: counts more than one page of many, but less than the whole site. */
const ONE_PLACE = 1 / 3;
/** No item is estimated at more than a working day, unless the check itself takes longer. */
const MAX_MINUTES = 480;

export function compareImpact(a: Finding['impact'], b: Finding['impact']): number {
  return IMPACT_RANK[a] - IMPACT_RANK[b];
}

/**
 * Number of separate fixes a cause needs. A missing page needs one, no matter how many links lead to it; an image needs
 * one wherever it is shown. Texts are fixed page by page; anything else once per distinct thing found (a template's
 * issue looks the same on all pages).
 */
function repairs(findings: readonly Finding[], pages: number): number {
  const targets = targetsOf(findings);
  if (targets !== null) return targets.addresses.length;
  if (findings[0]?.category === 'content') return pages;
  return new Set(findings.map((finding) => `${finding.evidence.place}\n${finding.evidence.value}`)).size;
}

/** The first fix takes the check's time, the next nine a third of it each, the rest a tenth, up to a working day. */
export function estimateMinutes(base: number, count: number): number {
  const next = Math.min(Math.max(count - 1, 0), 9);
  const further = Math.max(count - 10, 0);
  const total = Math.min(base + (base * next) / 3 + (base * further) / 10, Math.max(base, MAX_MINUTES));
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
  const minutes = estimateMinutes(check.minutes, repairs(findings, pages.length));
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
    pages,
    ...extentOf(check, pages, site),
    cap: capOf(check, site),
    minutes: together.reduce(
      (sum, other) =>
        sum + estimateMinutes(other.check.minutes, repairs(other.findings, pagesOf(other.findings).length)),
      minutes,
    ),
  };
}

function capOf({ id }: AnalystCheck, { limits = [] }: Site): number | null {
  const caps = limits.filter(({ checkIds }) => checkIds.includes(id)).map(({ cap }) => cap);
  return caps.length === 0 ? null : Math.min(...caps);
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

/**
 * Value of fixing a cause: its impact, higher the more of the site is affected, relative to its time. The square root
 * of the time (ten times the work counts about three times) keeps large, decisive fixes from always coming last.
 */
export function valuePerEffort(cause: Pick<Cause, 'impact' | 'share' | 'minutes'>): number {
  return (IMPACT_VALUE[cause.impact] * (1 + 3 * cause.share)) / Math.sqrt(Math.max(1, cause.minutes));
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

/** By value per effort; ties by check id. */
export function compareCauses(a: Cause, b: Cause): number {
  return compareKinds(a, b) || valuePerEffort(b) - valuePerEffort(a) || byId(a, b);
}

/** By impact before effort, for readers who want to know what matters most rather than where to start. */
export function byImportance(causes: readonly Cause[]): readonly Cause[] {
  return causes.toSorted((a, b) => compareKinds(a, b) || compareImpact(a.impact, b.impact) || compareCauses(a, b));
}

/** Puts every finding in exactly one cause; highest value per effort first. */
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

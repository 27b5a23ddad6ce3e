/** Findings gathered by their cause: one check that failed on all its pages, with what follows from it. */
import type { Finding } from '../../model/findings.ts';
import type { AnalystCheck, AnalystInput } from './analyst.ts';
import { type Kind, type Related, relate, targetsOf } from './relations.ts';
import { about, count, duration } from './wording.ts';

/** Another check's findings that are mended with the cause's own. */
export type JoinedCause = { readonly check: AnalystCheck; readonly kind: Kind; readonly findings: readonly Finding[] };

export type Cause = {
  readonly check: AnalystCheck;
  /** The check's, or what it is called together with what is joined. */
  readonly title: string;
  readonly fix: string;
  readonly category: Finding['category'];
  readonly impact: Finding['impact'];
  /** Every finding of it is a hint: reported, but it does not lower the score. */
  readonly hint: boolean;
  readonly findings: readonly Finding[];
  readonly joined: readonly JoinedCause[];
  /** Of its own findings: distinct, in the order found. */
  readonly pages: readonly string[];
  /** `on 12 of 14 pages`, `for the whole site`. */
  readonly where: string;
  /** 0 to 1: the part of what was looked at that has the fault. */
  readonly share: number;
  readonly minutes: number;
  /** As long as it is there, the score cannot be higher; null for most. */
  readonly cap: number | null;
};

type Site = Pick<AnalystInput, 'url' | 'pagesAudited' | 'limits'>;

const IMPACT_RANK = { high: 0, medium: 1, low: 2 } as const;
const IMPACT_VALUE = { high: 16, medium: 4, low: 1 } as const;
/** One address of a check that looks at the site as a whole: more than one page of many, and not the site. */
const ONE_PLACE = 1 / 3;
/** No single item is sold as more than a working day, unless the check itself says so. */
const MAX_MINUTES = 480;

export function compareImpact(a: Finding['impact'], b: Finding['impact']): number {
  return IMPACT_RANK[a] - IMPACT_RANK[b];
}

/**
 * How many separate repairs a cause asks for. A page that is gone is one, however many links lead there; an image is one wherever it is shown.
 * Texts are written page by page; everything else is mended once for each
 * distinct thing that was found (a template's fault looks alike on all its pages).
 */
function repairs(findings: readonly Finding[], pages: number): number {
  const targets = targetsOf(findings);
  if (targets !== null) return targets.addresses.length;
  if (findings[0]?.category === 'content') return pages;
  return new Set(findings.map((finding) => `${finding.evidence.place}\n${finding.evidence.value}`)).size;
}

/** The first repair takes the check's time; the next nine a third of it, the others a tenth, up to a working day. */
export function estimateMinutes(base: number, count: number): number {
  const next = Math.min(Math.max(count - 1, 0), 9);
  const further = Math.max(count - 10, 0);
  const total = Math.min(base + (base * next) / 3 + (base * further) / 10, Math.max(base, MAX_MINUTES));
  const step = total < 15 ? 1 : 5;
  return Math.max(1, Math.round(total / step) * step);
}

/** Stands in when the catalogue has no entry, so that no finding is lost. No site text: a title is shown as it is. */
function checkFromFinding(finding: Finding): AnalystCheck {
  return {
    id: finding.checkId,
    title: finding.checkId.charAt(0).toUpperCase() + finding.checkId.slice(1).replaceAll('-', ' '),
    difficulty: 'medium',
    minutes: 30,
    businessValue: '',
    timeToResult: 'unknown',
    why: '',
    fix: 'Mend what the evidence shows.',
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
  const joined = related.joined.map(({ kind, findings: others }) => ({ check: checkOf(others), kind, findings: others }));
  const pages = pagesOf(findings);
  const all = [...findings, ...joined.flatMap((other) => other.findings)];
  const together = joined.filter(({ kind }) => kind === 'together');
  const minutes = estimateMinutes(check.minutes, repairs(findings, pages.length));
  // What only follows does not make the cause any graver, unless the cause itself costs nothing.
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
    minutes: together.reduce((sum, other) => sum + estimateMinutes(other.check.minutes, repairs(other.findings, pagesOf(other.findings).length)), minutes),
  };
}

function capOf({ id }: AnalystCheck, { limits = [] }: Site): number | null {
  const caps = limits.filter(({ checkIds }) => checkIds.includes(id)).map(({ cap }) => cap);
  return caps.length === 0 ? null : Math.min(...caps);
}

/** Files that speak for the whole site, and its home page. */
function speaksForSite(address: string, { url }: Site): boolean {
  if (!URL.canParse(address)) return false;
  const { pathname, search } = new URL(address);
  return address === url || (search === '' && /^\/(?:[\w.-]+\.(?:txt|xml|xml\.gz|ico|webmanifest))?$/.test(pathname));
}

function extentOf({ looked = null, failed = 0, of }: AnalystCheck, pages: readonly string[], site: Site): Pick<Cause, 'where' | 'share'> {
  // Of a very large cause not every finding is listed: the count knows more pages than the findings do.
  const n = Math.max(pages.length, failed);
  if (looked === null || looked < n) {
    if (n > 1) return { where: `on ${count(n, 'page')}`, share: Math.min(1, n / Math.max(site.pagesAudited, n)) };
    return speaksForSite(pages[0] ?? '', site) ? { where: 'for the whole site', share: 1 } : { where: 'in one place', share: ONE_PLACE };
  }
  const noun = of === 'addresses' ? 'address' : 'page';
  const plural = of ?? 'pages';
  const nouns = count(looked, noun, plural);
  if (n < looked) return { where: `on ${n.toLocaleString('en-US')} of ${nouns}`, share: n / looked };
  const concerned = of === undefined && looked < site.pagesAudited ? ' it concerns' : '';
  return { where: looked === 1 ? `on the one ${noun}${concerned}` : looked === 2 ? `on both ${plural}${concerned}` : `on all ${nouns}${concerned}`, share: 1 };
}

/**
 * What the work on a cause brings: its impact, more where more of the site has it, against its time. Time counts with its square root: ten
 * times the work weighs three times, or the large repairs that decide about a site would always come last.
 */
export function valuePerEffort(cause: Pick<Cause, 'impact' | 'share' | 'minutes'>): number {
  return (IMPACT_VALUE[cause.impact] * (1 + 3 * cause.share)) / Math.sqrt(Math.max(1, cause.minutes));
}

/** Why it stands where it stands: a sentence. */
export function reasonOf(causes: readonly [Cause, ...Cause[]]): string {
  const [{ impact, where, hint, cap }] = causes;
  const minutes = causes.reduce((sum, cause) => sum + cause.minutes, 0);
  if (hint) return `A suggestion that costs no points, for ${about(minutes)}.`;
  if (cap !== null) return `As long as it is there, the score cannot be higher than ${cap}: mend it first, for ${about(minutes)}.`;
  return `${impact.charAt(0).toUpperCase()}${impact.slice(1)} impact ${where}, for ${about(minutes)}.`;
}

function byId(a: Cause, b: Cause): number {
  return a.check.id < b.check.id ? -1 : a.check.id > b.check.id ? 1 : 0;
}

/** Hints last, and first what keeps the whole score down. */
export function compareKinds(a: Cause, b: Cause): number {
  return Number(a.hint) - Number(b.hint) || Number(b.cap !== null) - Number(a.cap !== null);
}

/** Value per effort; the check's id settles ties. */
export function compareCauses(a: Cause, b: Cause): number {
  return compareKinds(a, b) || valuePerEffort(b) - valuePerEffort(a) || byId(a, b);
}

/** Impact before effort: what matters most, for a reader who asks for that and not for where to begin. */
export function byImportance(causes: readonly Cause[]): readonly Cause[] {
  return causes.toSorted((a, b) => compareKinds(a, b) || compareImpact(a.impact, b.impact) || compareCauses(a, b));
}

/** Every finding in exactly one cause; the most valuable for its effort first. */
export function gatherCauses(input: Pick<AnalystInput, 'findings' | 'checks'> & Site): readonly Cause[] {
  const checks = new Map(input.checks.map((check) => [check.id, check]));
  const checkOf = ([first]: readonly Finding[]): AnalystCheck => checks.get((first as Finding).checkId) ?? checkFromFinding(first as Finding);
  return relate(input.findings)
    .map((related) => causeOf(related, checkOf, input))
    .sort(compareCauses);
}

/** A cause that one person mends in one sitting. */
export function isQuickWin(cause: Pick<Cause, 'minutes'> & { readonly check: Pick<AnalystCheck, 'difficulty'> }): boolean {
  return cause.check.difficulty === 'easy' && cause.minutes <= 30;
}

/** All findings that mending the cause answers. */
export function findingsOf(cause: Cause): readonly Finding[] {
  return cause.joined.length === 0 ? cause.findings : [...cause.findings, ...cause.joined.flatMap((other) => other.findings)];
}

/** `20 minutes of work`, in words. */
export function workOf(causes: readonly Cause[]): string {
  return duration(causes.reduce((sum, cause) => sum + cause.minutes, 0));
}

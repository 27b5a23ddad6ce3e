/**
 * Turns findings into one number and lists every deduction: its points, and on how many of the checked pages it failed.
 */
import { CATEGORY_ORDER, type Category, type Finding, type Impact } from '../model/findings.ts';
import { isIndexable } from './checks/applies.ts';
import type { CheckOutcome } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import { isRightlyKeptOut } from './checks/lookups/keptOut.ts';
import { siteIndex } from './checks/lookups/siteIndex.ts';
import { isRefusal } from './crawl/outcome.ts';
import type { Crawl } from './crawl/site.ts';
import {
  CATEGORY_CAPS,
  COUNTED_BY_PAGE,
  ERRORS_AT_LEAST,
  GOOGLE_LIMITS,
  IMPACT_WEIGHTS,
  LIMITS,
  type Limit,
  MIN_BASE,
  MIN_SHARE,
  MOSTLY_ERRORS,
  NEEDS_SCRIPTS,
  NOTHING_AUDITED,
  WEIGHTS,
} from './weights.ts';

export type Deduction = {
  readonly checkId: string;
  readonly category: Category;
  /** Points lost, one decimal, before the category's cap. */
  readonly points: number;
  /** Points lost if every page fails. */
  readonly weight: number;
  /** Pages (or the site: 1) with a fault, out of those checked. */
  readonly failed: number;
  readonly looked: number;
  /** Divisor of `failed`: `looked`, or half of the HTML pages if that is more. */
  readonly base: number;
};

export type CategoryScore = { readonly category: Category; readonly lost: number; readonly cap: number };

export type ScoreLimit = { readonly cap: number; readonly reason: string };

export type Score = {
  /** Integer, 0 to 100. */
  readonly value: number;
  /** Largest first, without hints. */
  readonly deductions: readonly Deduction[];
  readonly categories: readonly CategoryScore[];
  /** Caps that apply to the score, with reasons; empty on most sites. */
  readonly limits: readonly ScoreLimit[];
  /** HTML pages audited: the base of all shares. */
  readonly pages: number;
};

export function weightOf(checkId: string, impact: Impact): number {
  return WEIGHTS[checkId] ?? IMPACT_WEIGHTS[impact];
}

export function scoreSite(crawl: Crawl, findings: readonly Finding[], outcomes: readonly CheckOutcome[]): Score {
  const counting = findings.filter((finding) => !finding.hint);
  const pages = htmlPages(crawl);
  const deductions = deductionsOf(counting, outcomes, pages);
  const categories = CATEGORY_ORDER.map((category) => {
    const sum = deductions
      .filter((deduction) => deduction.category === category)
      .reduce((total, { points }) => total + points, 0);
    return { category, lost: tenth(Math.min(sum, CATEGORY_CAPS[category])), cap: CATEGORY_CAPS[category] };
  });
  const lost = categories.reduce((total, category) => total + category.lost, 0);
  const limits = limitsOf(crawl, counting);
  const raw = lost > 0 ? Math.min(99, Math.round(100 - lost)) : 100;
  const value = Math.max(0, Math.min(raw, ...limits.map((limit) => limit.cap)));
  return { value, deductions, categories, limits, pages };
}

const SCOPES = new Map(CHECKS.map((check) => [check.id, check.scope]));

function deductionsOf(counting: readonly Finding[], outcomes: readonly CheckOutcome[], pages: number): Deduction[] {
  const byCheck = new Map<string, Finding[]>();
  for (const finding of counting) {
    const others = byCheck.get(finding.checkId);
    if (others) others.push(finding);
    else byCheck.set(finding.checkId, [finding]);
  }
  const deductions: Deduction[] = [];
  for (const outcome of outcomes) {
    const { checkId, failed } = outcome;
    const found = byCheck.get(checkId);
    if (found === undefined || found[0] === undefined || failed === 0) continue;
    const weight = weightOf(checkId, worstImpact(found));
    const share = shareOf(outcome, found, pages);
    const points = tenth(weight * Math.min(1, Math.max(MIN_SHARE, share.failed / share.base)));
    deductions.push({ checkId, category: found[0].category, points, weight, ...share });
  }
  return deductions.sort((a, b) => b.points - a.points || a.checkId.localeCompare(b.checkId));
}

function shareOf(
  { checkId, looked, failed }: CheckOutcome,
  found: readonly Finding[],
  pages: number,
): Pick<Deduction, 'failed' | 'looked' | 'base'> {
  if (COUNTED_BY_PAGE.has(checkId)) {
    const named = new Set(found.map((finding) => finding.evidence.url)).size;
    return { failed: named, looked: Math.max(pages, named), base: Math.max(pages, named) };
  }
  return {
    failed,
    looked,
    base: SCOPES.get(checkId) === 'site' ? Math.max(looked, 1) : Math.max(looked, Math.ceil(pages * MIN_BASE), 1),
  };
}

function worstImpact(findings: readonly Finding[]): Impact {
  if (findings.some((finding) => finding.impact === 'high')) return 'high';
  return findings.some((finding) => finding.impact === 'medium') ? 'medium' : 'low';
}

function limitsOf(crawl: Crawl, counting: readonly Finding[]): ScoreLimit[] {
  const pages = htmlPages(crawl);
  if (pages === 0)
    return [NOTHING_AUDITED, ...LIMITS.filter((limit) => limit.on !== 'most' && holds(limit, crawl, counting))]
      .map(capOf)
      .sort(byCap);
  const held = LIMITS.filter((limit) => holds(limit, crawl, counting));
  const limits = [
    ...held.filter((limit) => !held.some((other) => isPartOf(other, limit))),
    ...(held.length === 0 ? GOOGLE_LIMITS.filter(({ on }) => isClosedToGoogle(crawl, on)) : []),
    ...(failedAddresses(crawl) >= Math.max(ERRORS_AT_LEAST, pages + 1) ? [MOSTLY_ERRORS] : []),
    ...((['start', 'most'] as const).some((on) => holds({ checkIds: ['js-only-content'], on }, crawl, counting))
      ? [NEEDS_SCRIPTS]
      : []),
  ];
  return limits.map(capOf).sort(byCap);
}

/** A wider limit adds nothing to a narrower one. */
function isPartOf(narrow: Limit, wide: Limit): boolean {
  return narrow !== wide && narrow.on === wide.on && narrow.checkIds.every((id) => wide.checkIds.includes(id));
}

const capOf = ({ cap, reason }: ScoreLimit): ScoreLimit => ({ cap, reason });
const byCap = (a: ScoreLimit, b: ScoreLimit): number => a.cap - b.cap;

function holds({ checkIds, on }: Pick<Limit, 'checkIds' | 'on'>, crawl: Crawl, counting: readonly Finding[]): boolean {
  const found = counting.filter((finding) => checkIds.includes(finding.checkId));
  if (found.length === 0) return false;
  if (on === 'site') return true;
  const urls = new Set(found.map((finding) => finding.evidence.url));
  if (on === 'start') return crawl.pages.some((page) => page.from === 'start' && urls.has(page.url));
  return isMost(crawl, ({ url, outcome }) => urls.has(url) || urls.has(outcome.url));
}

/** Only HTML pages count: a shop may disallow thousands of filter URLs for crawlers. */
function isMost(crawl: Crawl, has: (page: Crawl['pages'][number]) => boolean): boolean {
  return crawl.pages.filter((page) => page.facts !== null && has(page)).length > htmlPages(crawl) / 2;
}

function isClosedToGoogle(crawl: Crawl, on: 'start' | 'most'): boolean {
  const { start } = siteIndex(crawl);
  if (on === 'start') return start !== null && start.facts !== null && !isIndexable(start, crawl);
  return isMost(crawl, (page) => !isIndexable(page, crawl) && !isRightlyKeptOut(page, crawl));
}

/** Failed addresses; ones that redirect count once, as their target. A refusal is no failure of the page. */
function failedAddresses(crawl: Crawl): number {
  const isFailed = (status: number | null): boolean => status === null || (status >= 400 && !isRefusal(status));
  return crawl.pages.filter(
    ({ robotsBlocked, outcome }) => !robotsBlocked && outcome.hops.length === 0 && isFailed(outcome.status),
  ).length;
}

function htmlPages(crawl: Crawl): number {
  return crawl.pages.filter((page) => page.facts !== null).length;
}

function tenth(points: number): number {
  return Math.round(points * 10) / 10;
}

/** From findings to one number, with every deduction listed: what it cost, and on how many of the pages it was looked for. */
import type { Category, CheckOutcome, Finding, Impact } from './checks/check.ts';
import type { Crawl } from './crawl/site.ts';
import { CATEGORY_CAPS, IMPACT_WEIGHTS, LIMITS, type Limit, MIN_SHARE, NOTHING_AUDITED, WEIGHTS } from './weights.ts';

export type Deduction = {
  readonly checkId: string;
  readonly category: Category;
  /** Points lost, one decimal, before the category's cap. */
  readonly points: number;
  /** Pages (or the site: 1) with a fault, of those that were looked at. */
  readonly failed: number;
  readonly looked: number;
};

export type CategoryScore = { readonly category: Category; readonly lost: number; readonly cap: number };

export type ScoreLimit = { readonly cap: number; readonly reason: string };

export type Score = {
  /** 0 to 100, whole. */
  readonly value: number;
  /** Largest first. Hints are never among them. */
  readonly deductions: readonly Deduction[];
  readonly categories: readonly CategoryScore[];
  /** Why the score may not be higher than a cap; empty on most sites. */
  readonly limits: readonly ScoreLimit[];
  /** HTML pages audited: the base of all shares. */
  readonly pages: number;
};

const CATEGORIES: readonly Category[] = ['technical', 'content', 'schema', 'social', 'tools'];

export function weightOf(checkId: string, impact: Impact): number {
  return WEIGHTS[checkId] ?? IMPACT_WEIGHTS[impact];
}

export function scoreSite(crawl: Crawl, findings: readonly Finding[], outcomes: readonly CheckOutcome[]): Score {
  const counting = findings.filter((finding) => !finding.hint);
  const deductions = deductionsOf(counting, outcomes);
  const categories = CATEGORIES.map((category) => {
    const sum = deductions.filter((deduction) => deduction.category === category).reduce((total, { points }) => total + points, 0);
    return { category, lost: tenth(Math.min(sum, CATEGORY_CAPS[category])), cap: CATEGORY_CAPS[category] };
  });
  const lost = categories.reduce((total, category) => total + category.lost, 0);
  const limits = limitsOf(crawl, counting);
  const raw = lost > 0 ? Math.min(99, Math.round(100 - lost)) : 100;
  const value = Math.max(0, Math.min(raw, ...limits.map((limit) => limit.cap)));
  return { value, deductions, categories, limits, pages: htmlPages(crawl) };
}

function deductionsOf(counting: readonly Finding[], outcomes: readonly CheckOutcome[]): Deduction[] {
  const byCheck = new Map<string, Finding[]>();
  for (const finding of counting) byCheck.set(finding.checkId, [...(byCheck.get(finding.checkId) ?? []), finding]);
  const deductions: Deduction[] = [];
  for (const { checkId, failed, looked } of outcomes) {
    const found = byCheck.get(checkId);
    if (found === undefined || found[0] === undefined || failed === 0) continue;
    const share = Math.max(MIN_SHARE, failed / Math.max(looked, 1));
    deductions.push({ checkId, category: found[0].category, points: tenth(weightOf(checkId, worstImpact(found)) * share), failed, looked });
  }
  return deductions.sort((a, b) => b.points - a.points || a.checkId.localeCompare(b.checkId));
}

function worstImpact(findings: readonly Finding[]): Impact {
  if (findings.some((finding) => finding.impact === 'high')) return 'high';
  return findings.some((finding) => finding.impact === 'medium') ? 'medium' : 'low';
}

function limitsOf(crawl: Crawl, counting: readonly Finding[]): ScoreLimit[] {
  const limits: ScoreLimit[] = LIMITS.filter((limit) => holds(limit, crawl, counting)).map(({ cap, reason }) => ({ cap, reason }));
  if (htmlPages(crawl) === 0) limits.push(NOTHING_AUDITED);
  return limits.sort((a, b) => a.cap - b.cap);
}

function holds(limit: Limit, crawl: Crawl, counting: readonly Finding[]): boolean {
  const found = counting.filter((finding) => limit.checkIds.includes(finding.checkId));
  if (limit.on === 'site') return found.length > 0;
  if (limit.on === 'most') return new Set(found.map((finding) => finding.evidence.url)).size > Math.max(htmlPages(crawl), 1) / 2;
  const start = new Set(crawl.pages.filter((page) => page.from === 'start').map((page) => page.url));
  return found.some((finding) => start.has(finding.evidence.url));
}

function htmlPages(crawl: Crawl): number {
  return crawl.pages.filter((page) => page.facts !== null).length;
}

function tenth(points: number): number {
  return Math.round(points * 10) / 10;
}

/**
 * Turns findings into one number, and says what each point was lost for: the gate (may the pages be found at all?),
 * times what the rest is worth. The points of all deductions and the score add up to 100.
 */
import { CATEGORY_ORDER, type Category, type Finding, type GRADES, type Impact } from '../model/findings.ts';
import { relate } from '../model/issues/relations.ts';
import { ascending } from '../model/order.ts';
import { SCORE_FORMULA, wholeScore } from '../model/scores.ts';
import type { CheckOutcome } from './checks/check.ts';
import { isFoundation } from './checks/foundations.ts';
import { CHECKS } from './checks/index.ts';
import type { Crawl } from './crawl/site.ts';
import { GATE_CHECKS, type Gate, gating } from './gate.ts';
import { atOnce, type Pausable } from './timeSlices.ts';
import { COUNTED_BY_PAGE, ENGINES, IMPACT_WEIGHTS, LEAST_POINTS, WEIGHTS } from './weights.ts';

export type Deduction = {
  readonly checkId: string;
  readonly category: Category;
  /** Points lost, to the tenth. */
  readonly points: number;
  /** Points lost if every content page fails. */
  readonly weight: number;
  /** Content pages (or the site: 1) with a fault, out of those there are. */
  readonly failed: number;
  readonly looked: number;
  /** Divisor of `failed`; the same as `looked`. */
  readonly base: number;
  /** It keeps pages from being found. */
  readonly gate?: true | undefined;
};

/** `cap`: the most that the category could lose in formula 1. */
export type CategoryScore = { readonly category: Category; readonly lost: number; readonly cap?: number | undefined };

/** `checkIds`: what keeps it there. */
export type ScoreLimit = { readonly cap: number; readonly reason: string; readonly checkIds: readonly string[] };

/** What is not search: `failed` of the `looked` checks found something. */
export type Foundations = {
  readonly grade: (typeof GRADES)[number];
  readonly looked: number;
  readonly failed: number;
};

export type Score = {
  /** 0 to 100, to the tenth; 100 only if nothing was lost. */
  readonly value: number;
  readonly formula: number;
  /** Those of the gate first, then the largest; without hints. */
  readonly deductions: readonly Deduction[];
  readonly categories: readonly CategoryScore[];
  /** What the gate leaves at most, with the reason; empty on most sites. */
  readonly limits: readonly ScoreLimit[];
  /** Null if none of its checks applied. */
  readonly foundations: Foundations | null;
  /** HTML pages audited. */
  readonly pages: number;
};

const METAS = new Map(CHECKS.map((check) => [check.id, check]));

export function weightOf(checkId: string, impact: Impact): number {
  return WEIGHTS[checkId] ?? IMPACT_WEIGHTS[impact];
}

/** `closed`: addresses of the content pages that may surely not be listed. */
type Scored = { readonly score: Score; readonly closed: ReadonlySet<string> };

export function scoreSite(crawl: Crawl, findings: readonly Finding[], outcomes: readonly CheckOutcome[]): Score {
  return atOnce(scoring(crawl, findings, outcomes)).score;
}

/** The same, pausing between pages. */
export function* scoring(
  crawl: Crawl,
  findings: readonly Finding[],
  outcomes: readonly CheckOutcome[],
): Pausable<Scored> {
  const counting = findings.filter((finding) => !finding.hint);
  const addresses = addressesOf(counting);
  const gate = yield* gating(crawl, addresses);
  yield;
  const losses = lossesOf(counting, { outcomes, addresses, gate });
  yield;
  const deductions = pointsOf(gate, losses, counting);
  const lost = deductions.reduce((sum, { points }) => sum + tenths(points), 0);
  const score = {
    value: (1000 - lost) / 10,
    formula: SCORE_FORMULA,
    deductions,
    categories: CATEGORY_ORDER.map((category) => ({
      category,
      lost:
        deductions
          .filter((deduction) => deduction.category === category)
          .reduce((sum, { points }) => sum + tenths(points), 0) / 10,
    })),
    limits: limitsOf(gate),
    foundations: foundationsOf(outcomes, findings),
    pages: crawl.pages.filter((page) => page.facts !== null).length,
  };
  return { score, closed: gate.surelyClosed };
}

function addressesOf(findings: readonly Finding[]): ReadonlyMap<string, ReadonlySet<string>> {
  const addresses = new Map<string, Set<string>>();
  for (const { checkId, evidence } of findings) {
    const known = addresses.get(checkId);
    if (known) known.add(evidence.url);
    else addresses.set(checkId, new Set([evidence.url]));
  }
  return addresses;
}

/** What a check costs while the gate is open. */
type Loss = Omit<Deduction, 'points' | 'gate'> & { readonly loss: number };

type Known = {
  readonly outcomes: readonly CheckOutcome[];
  /** All that findings name, by check. */
  readonly addresses: ReadonlyMap<string, ReadonlySet<string>>;
  readonly gate: Gate;
};

/** Findings that are gone once another one is fixed cost nothing by themselves. */
function lossesOf(counting: readonly Finding[], { outcomes, addresses, gate }: Known): readonly Loss[] {
  const closed = new Set([...[...gate.closedBy.values()].flatMap((urls) => [...urls]), ...gate.unknown]);
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.checkId, outcome]));
  return relate(counting)
    .flatMap(({ checkId, findings, joined }) => [
      { checkId, findings },
      ...joined.filter(({ kind }) => kind === 'together'),
    ])
    .flatMap(({ checkId, findings }) => {
      // What the gate charges is not charged again.
      if (gate.blame.has(checkId) && METAS.get(checkId)?.scope === 'site') return [];
      const rest = GATE_CHECKS.has(checkId) ? findings.filter(({ evidence }) => !closed.has(evidence.url)) : findings;
      if (rest.length === 0 || WEIGHTS[checkId] === 0) return [];
      // Of a check with very many findings, only the first are listed.
      const [named, failed] = [addresses.get(checkId)?.size ?? 0, outcomeOf.get(checkId)?.failed ?? 0];
      return [lossOf(checkId, rest, failed > named ? named / failed : 1, gate)];
    });
}

/** `listed`: the share of the check's findings that are listed. */
function lossOf(checkId: string, findings: readonly Finding[], listed: number, gate: Gate): Loss {
  const impact = worstImpact(findings);
  const weight = weightOf(checkId, impact);
  const share = shareOf(checkId, findings, listed, gate);
  const loss = Math.max(LEAST_POINTS[impact], weight * Math.min(1, share.failed / share.base));
  return { checkId, category: (findings[0] as Finding).category, weight, ...share, loss };
}

function shareOf(
  checkId: string,
  findings: readonly Finding[],
  listed: number,
  { base }: Gate,
): Pick<Deduction, 'failed' | 'looked' | 'base'> {
  const scope = METAS.get(checkId)?.scope;
  const named = new Set(findings.map(({ evidence }) => evidence.url));
  if (scope === 'site' && !COUNTED_BY_PAGE.has(checkId)) return { failed: 1, looked: 1, base: 1 };
  if (scope !== 'page') {
    const all = Math.max(base.size, named.size, 1);
    return { failed: named.size, looked: all, base: all };
  }
  const hurt = [...named].filter((url) => base.has(url)).length;
  const all = Math.max(base.size, 1);
  return { failed: Math.min(all, Math.round(hurt / listed)), looked: all, base: all };
}

function worstImpact(findings: readonly Finding[]): Impact {
  if (findings.some((finding) => finding.impact === 'high')) return 'high';
  return findings.some((finding) => finding.impact === 'medium') ? 'medium' : 'low';
}

/** Losses in tenths of points that add up: 100 for all losses at most, each times the gate's factor, after the gate. */
function pointsOf(gate: Gate, losses: readonly Loss[], counting: readonly Finding[]): readonly Deduction[] {
  const sum = losses.reduce((total, { loss }) => total + loss, 0);
  const scale = gate.factor * Math.min(1, 100 / Math.max(sum, 1)) * 10;
  const gateTenths = 1000 * (1 - gate.factor);
  const categories = new Map(counting.map(({ checkId, category }) => [checkId, category]));
  const parts = [
    ...[...gate.blame].map(([checkId, share]) => {
      const failed = gate.closedBy.get(checkId)?.size ?? 0;
      return {
        checkId,
        category: categories.get(checkId) ?? ('technical' as const),
        weight: 100,
        failed,
        looked: gate.pages,
        base: gate.pages,
        gate: true as const,
        exact: gateTenths * share,
      };
    }),
    ...losses.map(({ loss, ...rest }) => ({ ...rest, exact: loss * scale })),
  ];
  const rounded = wholes(parts.map(({ exact }) => exact));
  const deductions = new Map<string, Deduction>();
  for (const [index, { exact: _, ...part }] of parts.entries()) {
    // A check of the gate may also have findings on other pages.
    const known = deductions.get(part.checkId);
    const points = ((known ? tenths(known.points) : 0) + (rounded[index] ?? 0)) / 10;
    deductions.set(part.checkId, { ...part, ...known, points });
  }
  return [...deductions.values()].sort(
    (a, b) =>
      Number(b.gate ?? false) - Number(a.gate ?? false) || b.points - a.points || ascending(a.checkId, b.checkId),
  );
}

/** Whole numbers whose sum is that of the exact ones, rounded up: the largest remainders are rounded up first. */
function wholes(exact: readonly number[]): readonly number[] {
  const total = Math.min(1000, Math.ceil(exact.reduce((sum, part) => sum + part, 0) - 1e-9));
  const floors = exact.map((part) => Math.floor(part + 1e-9));
  let left = total - floors.reduce((sum, part) => sum + part, 0);
  const order = exact
    .map((part, index) => ({ index, rest: part - (floors[index] ?? 0) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index);
  for (const { index } of order) {
    if (left <= 0) break;
    floors[index] = (floors[index] ?? 0) + 1;
    left -= 1;
  }
  return floors;
}

function limitsOf({ factor, pages, closed, isStartClosed, blame }: Gate): readonly ScoreLimit[] {
  if (factor === 1) return [];
  const [google, other] = ENGINES.map(({ name }) => closed[name]) as [number, number];
  const count = Math.max(google, other);
  const who = google === 0 ? 'Bing and others' : other < google ? 'Google' : 'Search engines';
  const reason = `${who} may not list ${closedText(count, pages, isStartClosed)}`;
  return [{ cap: wholeScore(100 * factor), reason, checkIds: [...blame.keys()] }];
}

function closedText(count: number, pages: number, isStartClosed: boolean): string {
  if (isStartClosed && count === 1) return 'the home page';
  if (count === pages) return `any of the ${pages} content pages`;
  return isStartClosed
    ? `the home page and ${count - 1} of the ${pages - 1} other content pages`
    : `${count} of the ${pages} content pages`;
}

/** From this share of checks without a finding on, the grade. */
const GRADES_FROM = [
  ['A', 0.9],
  ['B', 0.75],
  ['C', 0.5],
  ['D', 0.25],
  ['E', 0],
] as const;

function foundationsOf(outcomes: readonly CheckOutcome[], findings: readonly Finding[]): Foundations | null {
  const applied = outcomes.filter(({ checkId, looked }) => {
    const meta = METAS.get(checkId);
    return looked > 0 && meta !== undefined && isFoundation(meta);
  });
  if (applied.length === 0) return null;
  const found = new Set(findings.map(({ checkId }) => checkId));
  const failed = applied.filter(({ checkId }) => found.has(checkId)).length;
  const passed = 1 - failed / applied.length;
  const [grade] = GRADES_FROM.find(([, from]) => passed >= from) ?? ['E'];
  return { grade, looked: applied.length, failed };
}

const tenths = (points: number): number => Math.round(points * 10);

/** From this many points on, an issue has the impact. */
const IMPACT_FROM: readonly (readonly [Impact, number])[] = [
  ['high', 3],
  ['medium', 1],
];

/** May keep pages from being found; only the search engine knows. */
const POSSIBLE_GATES: ReadonlySet<string> = new Set(['canonical-to-error', 'certificate-problem', 'googlebot-refused']);

/**
 * The findings with the impact of their issue: a check says how bad a fault is on a page that has it, the issue what it
 * costs the site. What keeps a page closed is high, even if something else closes it first and has the points. What is
 * optional is of low impact.
 */
export function withImpacts(findings: readonly Finding[], { score, closed }: Scored): readonly Finding[] {
  const closes = ({ checkId, hint, evidence }: Finding): boolean =>
    !hint && GATE_CHECKS.has(checkId) && closed.has(evidence.url);
  const costs = new Map<string, number>();
  for (const { checkId, points, gate } of score.deductions)
    costs.set(checkId, (costs.get(checkId) ?? 0) + (gate ? Number.POSITIVE_INFINITY : points));
  const impacts = new Map<string, Impact>();
  for (const { checkId, findings: own, joined } of relate(findings)) {
    const checkIds = [checkId, ...joined.filter(({ kind }) => kind === 'together').map((other) => other.checkId)];
    const points = checkIds.reduce((sum, id) => sum + (costs.get(id) ?? 0), 0);
    const impact =
      checkIds.some((id) => POSSIBLE_GATES.has(id)) || own.some(closes)
        ? 'high'
        : (IMPACT_FROM.find(([, from]) => points >= from)?.[0] ?? 'low');
    for (const { id } of [...own, ...joined.flatMap((other) => other.findings)]) impacts.set(id, impact);
  }
  return findings.map((finding) => ({ ...finding, impact: finding.hint ? 'low' : (impacts.get(finding.id) ?? 'low') }));
}

/** Findings gathered by their cause: one check that failed, on all its pages. */
import type { AnalystCheck, AnalystFinding, AnalystInput } from './analyst.ts';

export type Cause = {
  readonly check: AnalystCheck;
  readonly category: AnalystFinding['category'];
  readonly impact: AnalystFinding['impact'];
  /** Every finding of it is a hint: reported, but it does not lower the score. */
  readonly hint: boolean;
  readonly findings: readonly AnalystFinding[];
  /** Distinct, in the order found. */
  readonly pages: readonly string[];
  readonly minutes: number;
};

const IMPACT_RANK = { high: 0, medium: 1, low: 2 } as const;
const IMPACT_VALUE = { high: 9, medium: 3, low: 1 } as const;
/** No single item is sold as more than a working day, unless the check itself says so. */
const MAX_MINUTES = 480;

export function compareImpact(a: AnalystFinding['impact'], b: AnalystFinding['impact']): number {
  return IMPACT_RANK[a] - IMPACT_RANK[b];
}

/**
 * How many separate repairs a cause asks for. Texts are written page by page; everything else is mended once for each
 * distinct thing that was found (a template's fault looks alike on all its pages).
 */
function repairs(findings: readonly AnalystFinding[], pages: number): number {
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
function checkFromFinding(finding: AnalystFinding): AnalystCheck {
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

function causeOf(check: AnalystCheck, findings: readonly AnalystFinding[]): Cause {
  const pages = [...new Set(findings.map((finding) => finding.evidence.url))];
  const [first] = [...findings].sort((a, b) => compareImpact(a.impact, b.impact));
  return {
    check,
    category: first?.category ?? 'technical',
    impact: first?.impact ?? 'low',
    hint: findings.every((finding) => finding.hint),
    findings,
    pages,
    minutes: estimateMinutes(check.minutes, repairs(findings, pages.length)),
  };
}

/** What an hour on this cause brings: its impact, a little more for each page it touches. */
export function valuePerEffort(cause: Cause): number {
  return (IMPACT_VALUE[cause.impact] * (1 + Math.log2(cause.pages.length))) / cause.minutes;
}

/** Impact first, real faults before hints, then value per effort; the check's id settles ties. */
export function compareCauses(a: Cause, b: Cause): number {
  return (
    compareImpact(a.impact, b.impact) ||
    Number(a.hint) - Number(b.hint) ||
    valuePerEffort(b) - valuePerEffort(a) ||
    (a.check.id < b.check.id ? -1 : a.check.id > b.check.id ? 1 : 0)
  );
}

/** One cause per check that found something, most valuable first. */
export function gatherCauses(input: Pick<AnalystInput, 'findings' | 'checks'>): readonly Cause[] {
  const checks = new Map(input.checks.map((check) => [check.id, check]));
  const byCheck = new Map<string, AnalystFinding[]>();
  for (const finding of input.findings) {
    const group = byCheck.get(finding.checkId);
    if (group) group.push(finding);
    else byCheck.set(finding.checkId, [finding]);
  }
  return [...byCheck.values()]
    .flatMap((findings) => {
      const [first] = findings;
      return first ? [causeOf(checks.get(first.checkId) ?? checkFromFinding(first), findings)] : [];
    })
    .sort(compareCauses);
}

/** A cause that one person mends in one sitting. */
export function isQuickWin(cause: Pick<Cause, 'minutes'> & { readonly check: Pick<AnalystCheck, 'difficulty'> }): boolean {
  return cause.check.difficulty === 'easy' && cause.minutes <= 30;
}

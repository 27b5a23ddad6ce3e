/** `findings.json` as the page reads it: what was found, gathered by cause. */

export const CATEGORIES = ['technical', 'content', 'schema', 'social', 'tools'] as const;
export type Category = (typeof CATEGORIES)[number];
export const IMPACTS = ['high', 'medium', 'low'] as const;
export type Impact = (typeof IMPACTS)[number];

export interface Finding {
  readonly id: string;
  readonly checkId: string;
  readonly category: Category;
  readonly impact: Impact;
  readonly hint: boolean;
  readonly message: string;
  readonly evidence: { readonly url: string; readonly place: string; readonly value: string };
  readonly code: string | null;
}

export interface Check {
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly difficulty: 'easy' | 'medium' | 'hard';
  readonly minutes: number;
  readonly timeToResult: string;
  readonly businessValue: string;
  readonly why: string;
  readonly fix: string;
  readonly codeExample: string | null;
  readonly source: string;
}

export interface Score {
  readonly value: number;
  readonly deductions: readonly {
    readonly checkId: string;
    readonly category: Category;
    readonly points: number;
    readonly weight?: number;
    readonly failed: number;
    readonly looked: number;
    readonly base?: number;
  }[];
  readonly categories: readonly { readonly category: Category; readonly lost: number; readonly cap: number }[];
  readonly limits: readonly { readonly cap: number; readonly reason: string }[];
  readonly pages: number;
}

export interface FindingsFile {
  readonly host: string;
  readonly score: Score | null;
  readonly coverage: { readonly text: string };
  readonly findings: readonly Finding[];
  readonly outcomes: readonly { readonly checkId: string; readonly omitted: number }[];
  readonly checks: readonly Check[];
  /** With preview access only a part of the findings is in the file. */
  readonly preview?: { readonly findings_shown: number; readonly findings_total: number };
}

/** Null when it is not what this page can read. */
export function readFindings(text: string): FindingsFile | null {
  try {
    const file = JSON.parse(text) as Partial<FindingsFile> | null;
    return file && Array.isArray(file.findings) && Array.isArray(file.checks) ? { ...EMPTY, ...file } : null;
  } catch {
    return null;
  }
}

const EMPTY: FindingsFile = { host: '', score: null, coverage: { text: '' }, findings: [], outcomes: [], checks: [] };

/** One fault with all its places. */
export interface Cause {
  readonly check: Check;
  /** The worst of its findings. */
  readonly impact: Impact;
  /** Costs nothing of the score. */
  readonly hint: boolean;
  readonly findings: readonly Finding[];
  readonly pages: number;
  /** Found, but too many of the same to be listed. */
  readonly omitted: number;
}

const RANK: Record<Impact, number> = { high: 0, medium: 1, low: 2 };

/** Worst first, hints last. */
export function causesOf(file: FindingsFile): Cause[] {
  const byCheck = new Map<string, Finding[]>();
  for (const finding of file.findings) {
    const group = byCheck.get(finding.checkId);
    if (group) group.push(finding);
    else byCheck.set(finding.checkId, [finding]);
  }
  const omitted = new Map(file.outcomes.map((outcome) => [outcome.checkId, outcome.omitted]));
  const causes = file.checks.flatMap((check) => {
    const findings = byCheck.get(check.id);
    return findings ? [causeOf(check, findings, omitted.get(check.id) ?? 0)] : [];
  });
  return causes.sort((a, b) => Number(a.hint) - Number(b.hint) || RANK[a.impact] - RANK[b.impact] || b.pages - a.pages || (a.check.id < b.check.id ? -1 : 1));
}

function causeOf(check: Check, findings: readonly Finding[], omitted: number): Cause {
  const hint = findings.every((finding) => finding.hint);
  const counting = hint ? findings : findings.filter((finding) => !finding.hint);
  const impact = IMPACTS.find((each) => counting.some((finding) => finding.impact === each)) ?? 'low';
  return { check, impact, hint, findings, pages: new Set(findings.map((finding) => finding.evidence.url)).size, omitted };
}

/** Those of one page, or all. */
export function findingsAt(cause: Cause, page: string | null): readonly Finding[] {
  return page ? cause.findings.filter((finding) => finding.evidence.url === page) : cause.findings;
}

/** Findings with the address they were made at, in the order in which the addresses first appear. */
export function byAddress(findings: readonly Finding[]): { readonly url: string; readonly findings: readonly Finding[] }[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.evidence.url);
    if (group) group.push(finding);
    else groups.set(finding.evidence.url, [finding]);
  }
  return [...groups].map(([url, held]) => ({ url, findings: held }));
}

export interface FindingsFilter {
  readonly category: Category | null;
  readonly impact: Impact | null;
  /** An address: only what was found there. */
  readonly page: string | null;
}

export function filterFrom(search: URLSearchParams): FindingsFilter {
  return {
    category: CATEGORIES.find((each) => each === search.get('category')) ?? null,
    impact: IMPACTS.find((each) => each === search.get('impact')) ?? null,
    page: search.get('page'),
  };
}

export function matches(cause: Cause, { category, impact, page }: FindingsFilter): boolean {
  if (category && cause.check.category !== category) return false;
  if (impact && cause.impact !== impact) return false;
  return findingsAt(cause, page).length > 0;
}

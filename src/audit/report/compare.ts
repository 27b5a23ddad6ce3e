/** Two runs of one site side by side: what is new, fixed, remaining, and what is not comparable. */
import type { RunScope } from '../../model/findings.ts';
import type { FindingRecord, FindingsDocument } from './findingsFormat.ts';
import { matchFindings, whyNotChecked } from './matchFindings.ts';

export type Comparison = {
  /** In the order of the later run. */
  readonly new: readonly FindingRecord[];
  /** As the later run tells them. */
  readonly remaining: readonly FindingRecord[];
  /** Gone, and their pages and checks were looked at again. As the earlier run told them. */
  readonly fixed: readonly FindingRecord[];
  /** Gone, but nobody looked there again. */
  readonly notComparable: readonly (FindingRecord & { readonly because: string })[];
  /** Points gained (or lost); null with the reason when the two scores measure different things. */
  readonly score: { readonly before: number; readonly after: number; readonly change: number } | null;
  readonly scoreNotComparable: string | null;
};

/** Of the audited pages, so many must be in both runs for their scores to be compared. */
const SAME_SCOPE = 0.8;

/** Pure. Both are runs of the same site, `before` the earlier one. */
export function compareRuns(before: FindingsDocument, after: FindingsDocument): Comparison {
  const cut = new Set(before.outcomes.filter((outcome) => outcome.omitted > 0).map((outcome) => outcome.checkId));
  const pairs = matchFindings(before.findings, after.findings, (checkId) => cut.has(checkId));
  const gone = before.findings.filter((finding) => !pairs.has(finding));
  const kept = new Set(pairs.values());
  const looked = createRecheck(after);
  const judged = gone.map((finding) => ({ finding, because: looked(finding) }));
  const scoreNotComparable = whyScoresDiffer(scopeOf(before), scopeOf(after));
  return {
    new: after.findings.filter((finding) => !kept.has(finding)),
    remaining: after.findings.filter((finding) => kept.has(finding)),
    fixed: judged.flatMap(({ finding, because }) => (because === null ? [finding] : [])),
    notComparable: judged.flatMap(({ finding, because }) => (because === null ? [] : [{ ...finding, because }])),
    score:
      scoreNotComparable === null && before.score && after.score
        ? { before: before.score.value, after: after.score.value, change: after.score.value - before.score.value }
        : null,
    scoreNotComparable,
  };
}

/** Answers null when the place was looked at again, else why it was not. */
function createRecheck(after: FindingsDocument): (finding: FindingRecord) => string | null {
  const pages = new Map(after.pages.map((page) => [page.url, page]));
  const outcomes = new Map(after.outcomes.map((outcome) => [outcome.checkId, outcome]));
  const isSilent = !after.pages.some((page) => page.audited);
  return ({ checkId, evidence }) => {
    const outcome = outcomes.get(checkId);
    if (isSilent && outcome?.state === 'not_applicable') return 'no page could be audited this time';
    return whyNotChecked({ checkId, outcome, page: pages.get(evidence.url) });
  };
}

export function scopeOf({ host, score, outcomes, pages }: Pick<FindingsDocument, 'host' | 'score' | 'outcomes' | 'pages'>): RunScope {
  return {
    host,
    scored: score !== null,
    checks: outcomes.map(({ checkId }) => checkId),
    audited: pages.filter((page) => page.audited).map((page) => page.url),
  };
}

/** Null when the scores of two runs may stand side by side, else why not, as the end of a sentence. */
export function whyScoresDiffer(before: RunScope, after: RunScope): string | null {
  if (!before.scored || !after.scored) return 'one of the runs has no score';
  if (before.host !== after.host) return 'the runs are of different sites';
  const [ran, runs] = [new Set(before.checks), new Set(after.checks)];
  const other = [...ran].filter((id) => !runs.has(id)).length + [...runs].filter((id) => !ran.has(id)).length;
  if (other > 0) return `the runs were made with different checks: ${other} of them ${other === 1 ? 'is' : 'are'} part of one run only`;
  const [earlier, later] = [new Set(before.audited), new Set(after.audited)];
  const common = [...earlier].filter((url) => later.has(url)).length;
  if (common < SAME_SCOPE * Math.max(earlier.size, later.size))
    return `the runs looked at different pages: ${common} of ${Math.max(earlier.size, later.size)} are the same`;
  return null;
}

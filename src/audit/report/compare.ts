/** Two runs of one site side by side: what is new, fixed, remaining, and what is not comparable. */
import type { FindingRecord, FindingsDocument } from './findingsFormat.ts';
import { matchFindings, whyNotChecked } from './matchFindings.ts';
import { scopeOf, whyScoresDiffer } from './runScope.ts';

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

/** Compares two audits of one site: what is new, fixed, remaining or not comparable. */
import type { FindingRecord, FindingsDocument } from './findingsFormat.ts';
import { matchFindings, whyNotChecked } from './matchFindings.ts';
import { scopeOf, whyScoresDiffer } from './runScope.ts';

export type Comparison = {
  /** In the order of the later audit. */
  readonly new: readonly FindingRecord[];
  /** As in the later audit. */
  readonly remaining: readonly FindingRecord[];
  /** Gone after their pages and checks were audited again. As in the earlier audit. */
  readonly fixed: readonly FindingRecord[];
  /** Gone, but their places were not checked again. */
  readonly notComparable: readonly (FindingRecord & { readonly because: string })[];
  /** Change in points; null, with the reason below, if the scores measure different things. */
  readonly score: { readonly before: number; readonly after: number; readonly change: number } | null;
  readonly scoreNotComparable: string | null;
};

/** Pure. Both must be audits of the same site, `before` the earlier one. */
export function compareRuns(before: FindingsDocument, after: FindingsDocument): Comparison {
  const cut = new Set(before.outcomes.filter((outcome) => outcome.omitted > 0).map((outcome) => outcome.checkId));
  const pairs = matchFindings(before.findings, after.findings, (checkId) => cut.has(checkId));
  const gone = before.findings.filter((finding) => !pairs.has(finding));
  const kept = new Set(pairs.values());
  const recheck = createRecheck(after);
  const judged = gone.map((finding) => ({ finding, because: recheck(finding) }));
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

/** Returns null if the place was checked again, else the reason why not. */
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

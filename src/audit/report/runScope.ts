/** What an audit covered, and whether its score is comparable with another one's. */
import { PARTS_DIFFER, partKey } from '../../model/crawlSettings.ts';
import type { RunScope } from '../../model/findings.ts';
import { FIRST_FORMULA } from '../../model/scores.ts';
import type { FindingsDocument } from './findingsFormat.ts';

/** Scores are comparable if both audits share at least this share of audited pages. */
const SAME_SCOPE = 0.8;

export function scopeOf({
  host,
  score,
  coverage,
  outcomes,
  pages,
}: Pick<FindingsDocument, 'host' | 'score' | 'coverage' | 'outcomes' | 'pages'>): RunScope {
  return {
    host,
    settings: coverage.settings,
    scored: score !== null,
    formula: score?.formula ?? FIRST_FORMULA,
    checks: outcomes.map(({ checkId }) => checkId),
    audited: pages.filter((page) => page.audited).map((page) => page.url),
  };
}

/** Null if the two scores are comparable, else why not, worded as the end of a sentence. */
export function whyScoresDiffer(before: RunScope, after: RunScope): string | null {
  if (!before.scored || !after.scored) return 'one of the audits was not scored';
  if (before.host !== after.host) return 'the audits are of different sites';
  if (partKey(before.settings) !== partKey(after.settings)) return PARTS_DIFFER;
  if (before.formula !== after.formula) return 'the score formula changed between the two audits';
  const [ran, runs] = [new Set(before.checks), new Set(after.checks)];
  const other = [...ran].filter((id) => !runs.has(id)).length + [...runs].filter((id) => !ran.has(id)).length;
  if (other > 0)
    return `the audits ran different checks: ${other} ${other === 1 ? 'is' : 'are'} part of only one of them`;
  const [earlier, later] = [new Set(before.audited), new Set(after.audited)];
  const common = [...earlier].filter((url) => later.has(url)).length;
  if (common < SAME_SCOPE * Math.max(earlier.size, later.size))
    return `the audits read different pages: ${common} of ${Math.max(earlier.size, later.size)} are the same`;
  return null;
}

/** Formats the comparison of two audits for a terminal. */
import { count, plural } from '../checks/evidence.ts';
import type { Comparison } from './compare.ts';
import type { FindingRecord } from './findingsFormat.ts';
import { oneLine } from './markdown.ts';

const SHOWN = 20;

export function comparisonText(comparison: Comparison): string {
  const { score, scoreNotComparable } = comparison;
  const lines = [
    '',
    'COMPARED WITH THE EARLIER AUDIT',
    score === null
      ? `The scores cannot be compared: ${scoreNotComparable}.`
      : `Score ${score.before} → ${score.after} (${score.change > 0 ? '+' : ''}${score.change})`,
    ...section('New', comparison.new),
    ...section('Fixed', comparison.fixed),
    ...section('Not seen before', comparison.notSeenBefore, because),
    ...section('Not comparable', comparison.notComparable, because),
    `${count(comparison.new.length)} new, ${count(comparison.fixed.length)} fixed, ${count(comparison.remaining.length)} remaining, ${count(comparison.notSeenBefore.length)} not seen before, ${count(comparison.notComparable.length)} not comparable.`,
    comparison.notIdentical === null
      ? 'The two audits are identical: the same pages, responses and findings.'
      : `The two audits are not identical: ${comparison.notIdentical}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function because(finding: FindingRecord & { readonly because?: string }): string {
  return finding.because === undefined ? '' : `: ${finding.because}`;
}

function section(
  title: string,
  findings: readonly FindingRecord[],
  more: (finding: FindingRecord) => string = () => '',
): string[] {
  if (findings.length === 0) return [];
  const shown = findings
    .slice(0, SHOWN)
    .map(
      (finding) =>
        `  - ${oneLine(finding.message)} (${finding.checkId}, ${oneLine(finding.evidence.url)})${more(finding)}`,
    );
  const left = findings.length - shown.length;
  return [
    '',
    `${title}: ${plural(findings.length, 'finding')}`,
    ...shown,
    ...(left > 0 ? [`  and ${count(left)} more`] : []),
    '',
  ];
}

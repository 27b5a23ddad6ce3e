/** The executive summary: the analyst's text, or a plain one made of the figures. */
import { count, plural } from '../checks/evidence.ts';
import { coverageText } from './coverage.ts';
import { groupFindings } from './groups.ts';
import { prose } from './markdown.ts';
import type { ReportInput } from './reportMarkdown.ts';

/** `text` is markdown that is safe already. */
export function summaryMarkdown(host: string, text: string, by: string): string {
  return `# Executive summary: ${prose(host)}\n\n${text.trim()}\n\nWritten by: ${prose(by)}\n`;
}

/** Below 50 a site has grave faults; from 90 on it is in good health. */
export function verdictOf(score: number): 'good' | 'fair' | 'poor' {
  if (score >= 90) return 'good';
  return score >= 50 ? 'fair' : 'poor';
}

export const VERDICTS = { good: 'in good health', fair: 'sound, with faults that cost visitors', poor: 'in poor health for search' } as const;

export function plainSummary(input: ReportInput): string {
  const faults = groupFindings(input.findings, input.checks).filter((group) => !group.hint);
  const high = faults.filter((group) => group.impact === 'high');
  if (input.score.pages === 0) return `${prose(input.host)} is not scored. ${coverageText(input.crawl)}`;
  const lines = [
    `${prose(input.host)} scores **${input.score.value} of 100**: the site is ${VERDICTS[verdictOf(input.score.value)]}. ${coverageText(input.crawl)}`,
    ...input.score.limits.map((limit) => `**${limit.reason}.** Until that is mended the score cannot be higher than ${limit.cap}.`),
    faults.length === 0
      ? 'No fault was found that lowers the score.'
      : `${plural(faults.length, 'cause')} cost points, ${count(high.length)} of them with high impact. The first to mend:`,
    faults
      .slice(0, 5)
      .map(({ check, pages }) => `1. **${check.title}** (${plural(pages.length, 'address', 'addresses')}): ${check.businessValue}`)
      .join('\n'),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

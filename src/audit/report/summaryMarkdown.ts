/** The executive summary as a file of its own, and what a score means in words. */
import { prose } from './markdown.ts';

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

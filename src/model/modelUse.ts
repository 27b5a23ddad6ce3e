/** What is shown of the usage of language models. */
import type { PromptKey } from './prompts/prompt.ts';

/** What each prompt produces, in user-facing words. */
export const TEXT_OF: Readonly<Record<PromptKey, string>> = {
  seo_analysis: 'Report',
  seo_actions: 'Action items',
  summary: 'Summary',
};

/** Millionths of a dollar: small answers cost fractions of a cent. */
export function dollarsText(micros: number): string {
  const digits = Math.abs(micros) < 10_000 ? 6 : 4;
  return `$${(micros / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

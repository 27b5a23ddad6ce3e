/** Usage of a language model for one text, across all attempts. Contains neither the question nor the answer. */
import type { PromptKey } from './prompts/prompt.ts';

export type ModelUse = {
  /** The prompt used; its key identifies the text. */
  readonly key: PromptKey;
  readonly version: number;
  readonly model: string;
  /** Number of answers received, usable or not. */
  readonly answers: number;
  /** Total of all answers, as counted by the endpoint; null if it does not count, or if there were no answers. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar; null if no price or no count is known. */
  readonly costMicros: number | null;
  /** From the first request to the last answer, including waits between attempts. */
  readonly ms: number;
  /** Whether the model's text was used; false: the built-in rules filled in. */
  readonly used: boolean;
};

/** What each prompt produces, in user-facing words. */
export const TEXT_OF: Readonly<Record<PromptKey, string>> = { seo_analysis: 'Report', seo_actions: 'Action items', summary: 'Summary' };

/** Millionths of a dollar: small answers cost fractions of a cent. */
export function dollarsText(micros: number): string {
  const digits = Math.abs(micros) < 10_000 ? 6 : 4;
  return `$${(micros / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

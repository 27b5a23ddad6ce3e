/** What asking a language model for one text took, all tries together. Neither the question nor the answer. */
import type { PromptKey } from './prompts/prompt.ts';

export type ModelUse = {
  /** The prompt that was asked with; its key names the text. */
  readonly key: PromptKey;
  readonly version: number;
  readonly model: string;
  /** Answers that came, whether they could be used or not. */
  readonly answers: number;
  /** Of all answers, as the endpoint counts; null where it does not, and where none came. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar; null where no price or no count is known. */
  readonly costMicros: number | null;
  /** From the first question to the last answer, waits between tries among it. */
  readonly ms: number;
  /** Whether the text is the model's; false: the built-in rules filled in. */
  readonly used: boolean;
};

/** What each prompt is for, in the words of the product. */
export const TEXT_OF: Readonly<Record<PromptKey, string>> = { seo_analysis: 'Report', seo_actions: 'Action items', summary: 'Summary' };

/** Millionths of a dollar: small answers cost fractions of a cent. */
export function dollarsText(micros: number): string {
  const digits = Math.abs(micros) < 10_000 ? 6 : 4;
  return `$${(micros / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** What asking a language model took: tokens as the endpoint counts them, time, and money where prices are known. */
import type { ModelUse } from '../../model/modelUse.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';
import type { RawAnswer } from './completion.ts';

/** US dollars for a million tokens. */
export type ModelPrices = { readonly input: number; readonly output: number };

type Counted = Pick<RawAnswer, 'inputTokens' | 'outputTokens'>;

/** Dollars for a million tokens are millionths of a dollar for one. */
export function costOf({ inputTokens, outputTokens }: Counted, prices: ModelPrices | null): number | null {
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  return Math.round(inputTokens * prices.input + outputTokens * prices.output);
}

export type Meter = {
  /** Each answer as it came: those that cannot be used cost as much. */
  readonly onAnswer: (answer: RawAnswer) => void;
  /** Up to now. `used`: whether the text is the model's. */
  readonly read: (used: boolean) => ModelUse;
};

/** Begins with the question. `now`: milliseconds. */
export function startMeter(
  { key, version }: Pick<Prompt, 'key' | 'version'>,
  { model, prices, now }: { readonly model: string; readonly prices: ModelPrices | null; readonly now: () => number },
): Meter {
  const from = now();
  let answers = 0;
  let counted: Counted = { inputTokens: null, outputTokens: null };
  return {
    onAnswer({ inputTokens, outputTokens }) {
      answers += 1;
      counted = { inputTokens: sum(counted.inputTokens, inputTokens), outputTokens: sum(counted.outputTokens, outputTokens) };
    },
    read: (used) => ({ key, version, model, answers, ...counted, costMicros: costOf(counted, prices), ms: Math.max(0, Math.round(now() - from)), used }),
  };
}

const sum = (known: number | null, more: number | null): number | null => (more === null ? known : (known ?? 0) + more);

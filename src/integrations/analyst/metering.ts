/** Cost of model calls: tokens as counted by the endpoint, time, and money where prices are known. */
import type { ModelUse } from '../../domain/modelUse.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';
import type { RawAnswer } from './completion.ts';

/** US dollars per million tokens. */
export type ModelPrices = { readonly input: number; readonly output: number };

type Counted = Pick<RawAnswer, 'inputTokens' | 'outputTokens'>;

/** Dollars per million tokens equal millionths of a dollar per token. */
export function costOf({ inputTokens, outputTokens }: Counted, prices: ModelPrices | null): number | null {
  if (prices === null || inputTokens === null || outputTokens === null) return null;
  return Math.round(inputTokens * prices.input + outputTokens * prices.output);
}

export type Meter = {
  /** Every raw answer counts: unusable ones cost the same. */
  readonly onAnswer: (answer: RawAnswer) => void;
  /** Totals so far. `used` is whether the model's text was used. */
  readonly read: (used: boolean) => ModelUse;
};

/** Starts with the question. `now` returns ms. */
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
      counted = {
        inputTokens: sum(counted.inputTokens, inputTokens),
        outputTokens: sum(counted.outputTokens, outputTokens),
      };
    },
    read: (used) => ({
      key,
      version,
      model,
      answers,
      ...counted,
      costMicros: costOf(counted, prices),
      ms: Math.max(0, Math.round(now() - from)),
      used,
    }),
  };
}

const sum = (known: number | null, more: number | null): number | null => (more === null ? known : (known ?? 0) + more);

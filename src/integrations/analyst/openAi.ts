/** A language model behind any OpenAI-compatible endpoint. It words and orders; the facts stay the findings'. When it fails, the fallback writes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Analyst, AnalystCall, Written } from './analyst.ts';
import { analysisFrom, itemsFrom, summaryFrom } from './answers.ts';
import { gatherCauses } from './causes.ts';
import { createCompletion, type Endpoint, ModelFailure, type Question } from './completion.ts';
import { AnalysisShape, actionsText, causesText, estimateTokens, ItemsShape, SummaryShape, systemText } from './questions.ts';
import { TOP_ACTIONS } from './summaryText.ts';

export type OpenAiOptions = {
  /** With its version path, e.g. `https://api.x.ai/v1`. */
  readonly baseUrl: string;
  /** Empty for endpoints that ask for none. */
  readonly apiKey: string;
  readonly model: string;
  /** Default: 'Grok AI' at x.ai, 'AI' elsewhere. */
  readonly label?: string;
  readonly fallback: Analyst;
  /** For one try. Default 60,000. */
  readonly timeoutMs?: number;
  /** Default 3. */
  readonly maxAttempts?: number;
  /** For one text with all its tries. Default 150,000. */
  readonly maxTotalMs?: number;
  /** Default 24,000. */
  readonly maxInputTokens?: number;
  /** Default 8,000. */
  readonly maxOutputTokens?: number;
  /** Default 2 MB. */
  readonly maxAnswerBytes?: number;
  /** After an endpoint failed altogether, how long its texts are left to the fallback at once. Default 30,000 ms. */
  readonly coolDownMs?: number;
  readonly sleep?: Endpoint['sleep'];
  readonly now?: () => number;
};

export function labelOf(baseUrl: string): string {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  return host === 'x.ai' || host.endsWith('.x.ai') ? 'Grok AI' : 'AI';
}

/** Takes over when the model fails; the reason goes into `fallback`. Rejects only when the caller aborts. */
export function createOpenAiAnalyst(options: OpenAiOptions): Analyst {
  const { fallback, maxInputTokens = 24_000, coolDownMs = 30_000, now = Date.now } = options;
  const label = options.label ?? labelOf(options.baseUrl);
  const complete = createCompletion({
    baseUrl: options.baseUrl,
    apiKey: options.apiKey || 'none',
    model: options.model,
    timeoutMs: options.timeoutMs ?? 60_000,
    maxAttempts: options.maxAttempts ?? 3,
    maxTotalMs: options.maxTotalMs ?? 150_000,
    maxOutputTokens: options.maxOutputTokens ?? 8_000,
    maxAnswerBytes: options.maxAnswerBytes ?? 2_000_000,
    sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { ...(signal ? { signal } : {}), ref: false })),
    now,
  });
  let down: { readonly until: number; readonly reason: string } | null = null;

  /** The model's text, or the fallback's with the reason. `use` returns null for an answer that says nothing usable. */
  async function write<A, T>(question: Question<A>, use: (answer: A) => T | null, instead: () => Promise<Written<T>>): Promise<Written<T>> {
    const fallBack = async (reason: string) => ({ ...(await instead()), fallback: reason });
    if (down && now() < down.until) return fallBack(down.reason);
    try {
      const value = use(await complete(question));
      down = null;
      return value === null ? await fallBack('The language model’s answer could not be used.') : { value, by: label, fallback: null };
    } catch (error) {
      question.signal?.throwIfAborted();
      const failure = error instanceof ModelFailure ? error : new ModelFailure('The language model could not be used.', false);
      if (failure.endpoint) down = { until: now() + coolDownMs, reason: failure.message };
      return fallBack(failure.message);
    }
  }

  const mark = () => randomUUID().replaceAll('-', '');
  const room = (system: string) => maxInputTokens - estimateTokens(system);
  const ask = (task: Parameters<typeof systemText>[0], call: AnalystCall | undefined) => ({
    name: task,
    system: systemText(task),
    signal: call?.signal,
    budgetMs: call?.budgetMs,
  });

  return {
    label,
    async analyse(input, call) {
      const causes = gatherCauses(input);
      if (causes.length === 0) return fallback.analyse(input, call);
      const base = ask('analysis', call);
      const user = causesText(input, causes, mark(), room(base.system));
      return write(
        { ...base, shape: AnalysisShape, user },
        (answer) => analysisFrom(answer, input, causes),
        () => fallback.analyse(input, call),
      );
    },
    async recommend(input, call) {
      const causes = gatherCauses(input);
      if (causes.length === 0) return fallback.recommend(input, call);
      const base = ask('items', call);
      const user = causesText(input, causes, mark(), room(base.system));
      return write(
        { ...base, shape: ItemsShape, user },
        (answer) => itemsFrom(answer, input, causes),
        () => fallback.recommend(input, call),
      );
    },
    async summarise(input, actions, call) {
      if (actions.length === 0) return fallback.summarise(input, actions, call);
      const base = ask('summary', call);
      const user = actionsText(input, actions.slice(0, TOP_ACTIONS), mark());
      return write(
        { ...base, shape: SummaryShape, user },
        (answer) => summaryFrom(answer, input, actions),
        () => fallback.summarise(input, actions, call),
      );
    },
  };
}

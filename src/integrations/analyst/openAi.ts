/**
 * The analyst on any OpenAI-compatible endpoint. The model words and orders; facts come from the findings. If it fails,
 * the fallback writes the text.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { gatherIssues } from '../../model/issues/issues.ts';
import { BUILT_IN_PROMPTS } from '../../model/prompts/builtIn.ts';
import { type Prompt, PromptFault, type PromptKey, promptName } from '../../model/prompts/prompt.ts';
import type { Analyst, AnalystCall, AnalystInput, Written } from './analyst.ts';
import { analysisFrom, itemsFrom, summaryFrom, type Used } from './answers.ts';
import { createCallRecord } from './calls.ts';
import { createCompletion, type Endpoint, ModelFailure, type Question } from './completion.ts';
import { labelOf } from './endpointLabel.ts';
import { gatherTasks } from './issues.ts';
import { type Meter, type ModelPrices, startMeter } from './metering.ts';
import {
  AnalysisShape,
  actionsText,
  estimateTokens,
  ItemsShape,
  issuesText,
  MAX_INPUT_TOKENS,
  SummaryShape,
  systemText,
} from './questions.ts';
import { topActions } from './summaryText.ts';
import { tryPrompt } from './tryPrompt.ts';

export type OpenAiOptions = {
  /** Including the version path, e.g. `https://api.x.ai/v1`. */
  readonly baseUrl: string;
  /** Empty if the endpoint needs none. */
  readonly apiKey: string;
  readonly model: string;
  /** For the cost of texts. Default: unknown. */
  readonly prices?: ModelPrices;
  /** Default: 'Grok AI' at x.ai, 'AI' elsewhere. */
  readonly label?: string;
  readonly fallback: Analyst;
  /**
   * Called before each text; if it fails, so does the call, which can then be retried. Default: the built-in prompts.
   */
  readonly promptOf?: (key: PromptKey) => Prompt | Promise<Prompt>;
  /** Per attempt, ms. Default 60,000. */
  readonly timeoutMs?: number;
  /** Default 3. */
  readonly maxAttempts?: number;
  /** For one text with all its attempts, ms. Default 150,000. */
  readonly maxTotalMs?: number;
  /** Default 24,000. */
  readonly maxInputTokens?: number;
  /** Default 8,000. */
  readonly maxOutputTokens?: number;
  /** Default 2 MB. */
  readonly maxAnswerBytes?: number;
  /** How long the fallback writes all texts after the endpoint failed. Default 30,000 ms. */
  readonly coolDownMs?: number;
  readonly sleep?: Endpoint['sleep'];
  readonly now?: () => number;
};

type Task<A, T> = {
  readonly key: PromptKey;
  readonly name: string;
  readonly shape: Question<A>['shape'];
  /** The data, within `maxTokens`. */
  readonly user: (maxTokens: number) => string;
  readonly use: (answer: A) => Used<T> | null;
  readonly instead: () => Promise<Written<T>>;
  readonly call: AnalystCall | undefined;
};

/**
 * If the model fails, `fallback` writes the text and the reason is recorded. Rejects when the caller aborts, and if the
 * prompt cannot be read.
 */
export function createOpenAiAnalyst(options: OpenAiOptions): Analyst {
  const {
    fallback,
    maxInputTokens = MAX_INPUT_TOKENS,
    coolDownMs = 30_000,
    now = Date.now,
    promptOf = (key: PromptKey) => BUILT_IN_PROMPTS[key],
  } = options;
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
  const terms = { model: options.model, prices: options.prices ?? null, now };
  const calls = createCallRecord(now);
  let down: { readonly until: number; readonly reason: string } | null = null;

  /** The model's text, or the fallback's with the reason. `use` returns null for an unusable answer. */
  async function write<A, T>({ key, name, shape, user, use, instead, call }: Task<A, T>): Promise<Written<T>> {
    let meter: Meter | null = null;
    const fallBack = async (reason: string) => {
      calls.fellBack(reason);
      const asked = meter?.read(false);
      return { ...(await instead()), fallback: reason, ...(asked ? { asked } : {}) };
    };
    if (down && now() < down.until) return fallBack(down.reason);
    const prompt = await promptOf(key);
    try {
      const system = systemText(prompt);
      const text = user(maxInputTokens - estimateTokens(system));
      meter = startMeter(prompt, terms);
      const question: Question<A> = { name, shape, system, user: text, ...call, onAnswer: meter.onAnswer };
      const used = use(await complete(question));
      down = null;
      if (used === null) return await fallBack('The language model’s answer could not be used.');
      calls.succeeded();
      return { ...used, by: label, fallback: null, prompt: promptName(prompt), asked: meter.read(true) };
    } catch (error) {
      call?.signal?.throwIfAborted();
      if (error instanceof PromptFault) return fallBack(`The prompt ${key} cannot be used: ${error.message}`);
      const failure =
        error instanceof ModelFailure ? error : new ModelFailure('The language model could not be used.', false);
      if (failure.endpoint) down = { until: now() + coolDownMs, reason: failure.message };
      return fallBack(failure.message);
    }
  }

  /** The built-in texts say all there is to say of a site that was not read. */
  const isUnread = ({ score, pagesAudited }: AnalystInput): boolean => score === null || pagesAudited === 0;
  const mark = () => randomUUID().replaceAll('-', '');

  return {
    label,
    calls: () => calls.read(down !== null && now() < down.until),
    tryPrompt: (prompt, input, actions, call) =>
      tryPrompt({ complete, ...terms, maxInputTokens }, prompt, input, actions, call),
    async analyse(input, call) {
      const issues = gatherIssues(input);
      const instead = () => fallback.analyse(input, call);
      if (issues.length === 0 || isUnread(input)) return instead();
      const user = (room: number) => issuesText(input, issues, mark(), room);
      return write({
        key: 'seo_analysis',
        name: 'analysis',
        shape: AnalysisShape,
        user,
        use: (answer) => analysisFrom(answer, input, issues),
        instead,
        call,
      });
    },
    async recommend(input, call) {
      const issues = gatherTasks(input);
      const instead = () => fallback.recommend(input, call);
      if (issues.length === 0 || isUnread(input)) return instead();
      const user = (room: number) => issuesText(input, issues, mark(), room);
      return write({
        key: 'seo_actions',
        name: 'items',
        shape: ItemsShape,
        user,
        use: (answer) => itemsFrom(answer, input, issues),
        instead,
        call,
      });
    },
    async summarise(input, actions, call) {
      const instead = () => fallback.summarise(input, actions, call);
      if (actions.length === 0 || isUnread(input)) return instead();
      const user = () => actionsText(input, topActions(actions), mark());
      return write({
        key: 'summary',
        name: 'summary',
        shape: SummaryShape,
        user,
        use: (answer) => summaryFrom(answer, input, actions),
        instead,
        call,
      });
    },
  };
}

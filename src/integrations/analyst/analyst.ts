/**
 * The analyst port: turns findings into texts. Adapters: `rules.ts` (built in), `openAi.ts` (any OpenAI-compatible
 * endpoint).
 */

import type { ModelUse } from '../../domain/modelUse.ts';
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import type { Difficulty, Example, Finding } from '../../model/findings.ts';
import type { IssueScope } from '../../model/issues/issues.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';
import type { NotJudgedReason } from '../../model/scores.ts';

/** The check catalog's entry for a finding. */
export type AnalystCheck = {
  readonly id: string;
  readonly title: string;
  readonly difficulty: Difficulty;
  /** Minutes. */
  readonly minutes: number;
  readonly gain: string;
  readonly timeToResult: string;
  readonly risk: string;
  readonly steps: readonly string[];
  /** `steps` is a placeholder for text that must not be disclosed. */
  readonly locked?: boolean;
  readonly example: Example | null;
  readonly tags: readonly string[];
  /** Pages checked and pages failed; absent or null for a check of the whole site. */
  readonly looked?: number | null;
  readonly failed?: number;
  /** What it looks at, if not the content of pages. */
  readonly of?: IssueScope;
};

export type AnalystInput = {
  readonly host: string;
  readonly url: string;
  /** Null if the site was not judged. */
  readonly score: number | null;
  /** Why it was not; absent or null if it was. */
  readonly notJudged?: NotJudgedReason | null;
  /** Caps on the score that other fixes cannot lift, and the checks of which a failed one is the reason. */
  readonly limits?: readonly { readonly cap: number; readonly reason: string; readonly checkIds: readonly string[] }[];
  /** Points of the score that each check costs. */
  readonly points?: readonly { readonly checkId: string; readonly points: number }[];
  /** What was set for the crawl; absent: nothing. */
  readonly settings?: CrawlSettings | undefined;
  readonly pagesAudited: number;
  /** One sentence on what the audit covers and what it does not. */
  readonly coverage: string;
  readonly findings: readonly Finding[];
  /** Every check with a finding. */
  readonly checks: readonly AnalystCheck[];
  /** Titles of passed checks for the summary's good news, highest weight first. */
  readonly passed: readonly string[];
};

/**
 * One item fixes one issue on all its pages, including what follows from it. `findingIds` is never empty and a subset
 * of the input's.
 */
export type AnalystAction = {
  readonly id: string;
  readonly checkId: string;
  readonly findingIds: readonly string[];
  readonly title: string;
  readonly category: Finding['category'];
  readonly impact: Finding['impact'];
  /** None of its findings costs points: a suggestion rather than a task. */
  readonly optional: boolean;
  readonly difficulty: AnalystCheck['difficulty'];
  readonly timeEstimate: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  /** Why the item has its rank: one plain sentence, never written by a model. */
  readonly reason: string;
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly tags: readonly string[];
  readonly pages: readonly string[];
  readonly evidence: readonly { readonly url: string; readonly place: string; readonly value: string }[];
};

/** A text and its author. `fallback` says why the built-in rules replaced a model; null if they did not. */
export type Written<T> = {
  readonly value: T;
  readonly by: string;
  readonly fallback: string | null;
  /** Number of unused parts of a model's answer: they referred to no finding, or claimed something no finding says. */
  readonly dropped?: number;
  /** Key and version of the prompt: `seo_actions@1`. */
  readonly prompt?: string;
  /** Model use for this text, even if its answer was not used. Absent if no model was called. */
  readonly asked?: ModelUse;
};

/** `signal` rejects the call; after `budgetMs`, the built-in rules take over. */
export type AnalystCall = { readonly signal?: AbortSignal; readonly budgetMs?: number };

/** Outcomes of model calls since the process started. */
export type AnalystCalls = {
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  /** Why the last call failed, in one sentence; null after a success. */
  readonly failure: string | null;
  /** Counts over the most recent calls (`MOST_COUNTED` in `calls.ts`). */
  readonly asked: number;
  readonly fellBack: number;
  /** The endpoint failed and is not called for a moment. */
  readonly coolingDown: boolean;
};

/** A model's answer to a tried prompt, and whether a report would use it. */
export type TriedPrompt = {
  readonly model: string;
  /** Null if there was no answer. */
  readonly text: string | null;
  /** Why a report would not use it, in one sentence; null if it would. */
  readonly refused: string | null;
  /** Number of parts that a report would drop, as in `Written`. */
  readonly dropped: number;
  /** Null if the endpoint does not count. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar; null if no price is known. */
  readonly costMicros: number | null;
  readonly ms: number;
};

export type Analyst = {
  /** Shown in the interface: 'Built-in analyst', 'Grok AI', 'AI'. */
  readonly label: string;
  /** Absent if no model is used. */
  readonly calls?: () => AnalystCalls;
  /**
   * Asks the model once with this prompt, even if another one is in use; null if there is nothing to ask about. Absent
   * if no model is used.
   */
  tryPrompt?(
    prompt: Prompt,
    input: AnalystInput,
    actions: readonly AnalystAction[],
    call?: AnalystCall,
  ): Promise<TriedPrompt | null>;
  /** The report's analysis section, Markdown: no heading of its own, its parts under `###`. */
  analyse(input: AnalystInput, call?: AnalystCall): Promise<Written<string>>;
  /**
   * By value per effort, hints last. Titles are plain text, `problem` and `solution` inline Markdown (code spans) with
   * site text escaped.
   */
  recommend(input: AnalystInput, call?: AnalystCall): Promise<Written<readonly AnalystAction[]>>;
  /** The executive summary for a non-technical reader, Markdown with its own `#` heading. */
  summarise(input: AnalystInput, actions: readonly AnalystAction[], call?: AnalystCall): Promise<Written<string>>;
};

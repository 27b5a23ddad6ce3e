/** The analyst port: turns findings into texts. Adapters: `rules.ts` (built in), `openAi.ts` (any OpenAI-compatible endpoint). */
import type { Difficulty, Finding } from '../../model/findings.ts';
import type { ModelUse } from '../../model/modelUse.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';

/** What the check catalogue says of a finding's cause. */
export type AnalystCheck = {
  readonly id: string;
  readonly title: string;
  readonly difficulty: Difficulty;
  /** Minutes. */
  readonly minutes: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  readonly why: string;
  readonly fix: string;
  /** `fix` stands for one that is not to be told. */
  readonly locked?: boolean;
  readonly codeExample: string | null;
  readonly tags: readonly string[];
  /** Pages that it looked at, and on how many it found something; absent or null when it looks at the site as a whole. */
  readonly looked?: number | null;
  readonly failed?: number;
  /** What it counts where these are not pages with content: every address that was asked for. */
  readonly of?: 'addresses';
};

export type AnalystInput = {
  readonly host: string;
  readonly url: string;
  readonly score: number;
  /** Why the score cannot be higher than a cap, whatever else is mended, and the checks of which one that failed is to blame. */
  readonly limits?: readonly { readonly cap: number; readonly reason: string; readonly checkIds: readonly string[] }[];
  readonly pagesAudited: number;
  /** One sentence on what the audit covers, and what it does not. */
  readonly coverage: string;
  readonly findings: readonly Finding[];
  /** Every check that a finding names. */
  readonly checks: readonly AnalystCheck[];
  /** What passed, as check titles, for the summary's good news: the weightiest first. */
  readonly passed: readonly string[];
};

/** One item fixes one cause on all its pages, with what follows from it. Its `findingIds` are never empty and always among the input's. */
export type AnalystAction = {
  readonly id: string;
  readonly checkId: string;
  readonly findingIds: readonly string[];
  readonly title: string;
  readonly category: Finding['category'];
  readonly impact: Finding['impact'];
  readonly difficulty: AnalystCheck['difficulty'];
  readonly timeEstimate: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  /** Why it stands where it stands in the list: one plain sentence, never a model's. */
  readonly reason: string;
  readonly problem: string;
  readonly solution: string;
  readonly codeExample: string | null;
  readonly tags: readonly string[];
  readonly pages: readonly string[];
  readonly evidence: readonly { readonly url: string; readonly place: string; readonly value: string }[];
};

/** A text and who wrote it. `fallback` says why the built-in rules had to fill in for a model; null when they did not. */
export type Written<T> = {
  readonly value: T;
  readonly by: string;
  readonly fallback: string | null;
  /** Parts of a model's answer that were not used: they pointed to no finding, or said what no finding says. */
  readonly dropped?: number;
  /** Key and version of the prompt that was asked with: `seo_actions@1`. */
  readonly prompt?: string;
  /** What asking a model for it took, also where its answer was not used. Absent: none was asked. */
  readonly asked?: ModelUse;
};

/** `signal` rejects the call; `budgetMs` bounds it: when it is used up, the built-in rules fill in. */
export type AnalystCall = { readonly signal?: AbortSignal; readonly budgetMs?: number };

/** What became of the texts that a model was asked for since the process began. */
export type AnalystCalls = {
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  /** Why the last one failed, in a sentence; null after a success. */
  readonly failure: string | null;
  /** Of the last ones (`MOST_COUNTED` in `calls.ts`). */
  readonly asked: number;
  readonly fellBack: number;
  /** It failed altogether and is left alone for a moment. */
  readonly coolingDown: boolean;
};

/** What a model said to a prompt that is tried, and whether a report would use it. */
export type TriedPrompt = {
  readonly model: string;
  /** Null: it gave no answer. */
  readonly text: string | null;
  /** Why a report would not use it, in a sentence; null: it would. */
  readonly refused: string | null;
  /** Parts that a report would leave out, as `Written` counts them. */
  readonly dropped: number;
  /** Null where the endpoint does not count. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Millionths of a US dollar; null where no price is known. */
  readonly costMicros: number | null;
  readonly ms: number;
};

export type Analyst = {
  /** Shown in the interface: 'Built-in analyst', 'Grok AI', 'AI'. */
  readonly label: string;
  /** Absent: no model is asked. */
  readonly calls?: () => AnalystCalls;
  /** Asks the model once with this prompt, whichever is in use; null when there is nothing to ask about. Absent: no model is asked. */
  tryPrompt?(prompt: Prompt, input: AnalystInput, actions: readonly AnalystAction[], call?: AnalystCall): Promise<TriedPrompt | null>;
  /** The analysis section of the report, markdown: no heading of its own, its parts under `###`. */
  analyse(input: AnalystInput, call?: AnalystCall): Promise<Written<string>>;
  /** By value per effort, hints last. Titles are plain text, `problem` and `solution` are inline markdown (code spans), site text escaped. */
  recommend(input: AnalystInput, call?: AnalystCall): Promise<Written<readonly AnalystAction[]>>;
  /** The executive summary, markdown with its own `#` heading, for a reader who is not technical. */
  summarise(input: AnalystInput, actions: readonly AnalystAction[], call?: AnalystCall): Promise<Written<string>>;
};

/** Tries a prompt: asks the model once and validates its answer as for a report, but saves nothing. */
import { randomUUID } from 'node:crypto';
import { gatherIssues } from '../../model/issues/issues.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';
import type { AnalystAction, AnalystCall, AnalystInput, TriedPrompt } from './analyst.ts';
import { analysisFrom, itemsFrom, summaryFrom, type Used } from './answers.ts';
import { type Complete, ModelFailure, type Question, type RawAnswer } from './completion.ts';
import { costOf, type ModelPrices } from './metering.ts';
import {
  AnalysisShape,
  actionsText,
  estimateTokens,
  ItemsShape,
  issuesText,
  SummaryShape,
  systemText,
} from './questions.ts';
import { topActions } from './summaryText.ts';

export type TryPromptDeps = {
  readonly complete: Complete;
  readonly model: string;
  readonly prices: ModelPrices | null;
  readonly maxInputTokens: number;
  /** Milliseconds. */
  readonly now: () => number;
};

/** `use` is the same as for reports: null for an unusable answer. */
type Task<A> = Pick<Question<A>, 'name' | 'shape' | 'user'> & { readonly use: (answer: A) => Used<unknown> | null };

const UNUSABLE =
  'Nothing in the answer could be used: it points to nothing that was found, or says what no finding says.';

/** Null if there is nothing to ask about. @throws PromptFault; the signal's reason when aborted */
export async function tryPrompt(
  deps: TryPromptDeps,
  prompt: Prompt,
  input: AnalystInput,
  actions: readonly AnalystAction[],
  call: AnalystCall = {},
): Promise<TriedPrompt | null> {
  const system = systemText(prompt);
  const mark = randomUUID().replaceAll('-', '');
  const issues = gatherIssues(input);
  const user = () => issuesText(input, issues, mark, deps.maxInputTokens - estimateTokens(system));
  switch (prompt.key) {
    case 'seo_analysis':
      if (issues.length === 0) return null;
      return askOnce(
        deps,
        system,
        { name: 'analysis', shape: AnalysisShape, user: user(), use: (answer) => analysisFrom(answer, input, issues) },
        call,
      );
    case 'seo_actions':
      if (issues.length === 0) return null;
      return askOnce(
        deps,
        system,
        { name: 'items', shape: ItemsShape, user: user(), use: (answer) => itemsFrom(answer, input, issues) },
        call,
      );
    case 'summary': {
      if (actions.length === 0) return null;
      const about = actionsText(input, topActions(actions), mark);
      return askOnce(
        deps,
        system,
        { name: 'summary', shape: SummaryShape, user: about, use: (answer) => summaryFrom(answer, input, actions) },
        call,
      );
    }
    default:
      prompt.key satisfies never;
      return null;
  }
}

async function askOnce<A>(
  deps: TryPromptDeps,
  system: string,
  { use, ...question }: Task<A>,
  call: AnalystCall,
): Promise<TriedPrompt> {
  const { complete, model, prices, now } = deps;
  let raw: RawAnswer = { text: null, inputTokens: null, outputTokens: null };
  const from = now();
  const onAnswer = (answer: RawAnswer): void => {
    raw = answer;
  };
  const verdict = async (): Promise<Pick<TriedPrompt, 'refused' | 'dropped'>> => {
    try {
      const used = use(await complete({ ...question, ...call, system, maxAttempts: 1, onAnswer }));
      return used === null ? { refused: UNUSABLE, dropped: 0 } : { refused: null, dropped: used.dropped };
    } catch (error) {
      call.signal?.throwIfAborted();
      return {
        refused: error instanceof ModelFailure ? error.message : 'The language model could not be used.',
        dropped: 0,
      };
    }
  };
  const outcome = await verdict();
  return { model, ...outcome, ...raw, costMicros: costOf(raw, prices), ms: Math.max(0, Math.round(now() - from)) };
}

/** Shows what a prompt would send to a model for an audit, without sending it. Pure. */

import { gatherIssues } from '../../model/issues/issues.ts';
import type { Prompt } from '../../model/prompts/prompt.ts';
import type { AnalystAction, AnalystInput } from './analyst.ts';
import { actionsText, estimateTokens, issuesText, MAX_INPUT_TOKENS, systemText } from './questions.ts';
import { topActions } from './summaryText.ts';

export type ModelInput = {
  /** The rules and the prompt with its variables filled in. */
  readonly system: string;
  /**
   * The data between its delimiter lines; null if there is nothing to ask about, so that the built-in rules write the
   * text.
   */
  readonly data: string | null;
  /** A conservative estimate for both. */
  readonly tokens: number;
};

/** Replaces the random mark of real questions. */
const MARK = '0'.repeat(32);

/** @throws PromptFault */
export function modelInputOf(prompt: Prompt, input: AnalystInput, actions: readonly AnalystAction[]): ModelInput {
  const system = systemText(prompt);
  const used = estimateTokens(system);
  const data = prompt.key === 'summary' ? aboutActions(input, actions) : aboutIssues(input, MAX_INPUT_TOKENS - used);
  return { system, data, tokens: used + estimateTokens(data ?? '') };
}

function aboutActions(input: AnalystInput, actions: readonly AnalystAction[]): string | null {
  return actions.length === 0 ? null : actionsText(input, topActions(actions), MARK);
}

function aboutIssues(input: AnalystInput, maxTokens: number): string | null {
  const issues = gatherIssues(input);
  return issues.length === 0 ? null : issuesText(input, issues, MARK, maxTokens);
}

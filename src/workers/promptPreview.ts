/** The prompt that a model would receive for a completed audit, built from the stored data. */
import { type FindingsDocument, parseFindings } from '../audit/report/findingsFormat.ts';
import type { ActionItem } from '../domain/plan/events.ts';
import type { AnalystAction, AnalystInput } from '../integrations/analyst/analyst.ts';
import type { Prompt } from '../model/prompts/prompt.ts';
import { analystAction } from './analystAction.ts';
import { storedInput } from './storedInput.ts';

type ModelInputOf<ModelInput> = (prompt: Prompt, input: AnalystInput, actions: readonly AnalystAction[]) => ModelInput;

/** `findings`: the stored file. Null if it can no longer be read. */
export function createPromptPreview<ModelInput>(modelInputOf: ModelInputOf<ModelInput>) {
  return (prompt: Prompt, findings: string, items: readonly ActionItem[]): ModelInput | null => {
    const document = readable(findings);
    return document && modelInputOf(prompt, storedInput(document), items.map(analystAction));
  };
}

function readable(findings: string): FindingsDocument | null {
  try {
    return parseFindings(findings);
  } catch {
    return null;
  }
}

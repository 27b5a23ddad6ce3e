/** What a model would be asked about a finished analysis, from what is stored of it. */
import { type FindingsDocument, parseFindings } from '../audit/report/findingsFormat.ts';
import type { ActionItem } from '../domain/plan/events.ts';
import type { AnalystAction, AnalystInput } from '../integrations/analyst/analyst.ts';
import type { Prompt } from '../model/prompts/prompt.ts';
import { storedInput } from './storedInput.ts';

type AskedWith<Asked> = (prompt: Prompt, input: AnalystInput, actions: readonly AnalystAction[]) => Asked;

/** `findings`: the stored file. Null when it cannot be read any more. */
export function createPromptPreview<Asked>(askedWith: AskedWith<Asked>) {
  return (prompt: Prompt, findings: string, items: readonly ActionItem[]): Asked | null => {
    const document = readable(findings);
    // What only later plans have as optional, the analyst always writes.
    const actions = items.map((item) => ({ ...item, reason: item.reason ?? '' }));
    return document && askedWith(prompt, storedInput(document), actions);
  };
}

function readable(findings: string): FindingsDocument | null {
  try {
    return parseFindings(findings);
  } catch {
    return null;
  }
}

/** What admins write, as it was at a moment: prompts and email sequences. */

import { promptStream } from '../../domain/prompt/events.ts';
import { PROMPT_KEYS, type PromptKey } from '../../model/prompts/prompt.ts';
import { type PromptDocument, prompts } from '../../projections/prompts.ts';
import {
  type SequenceDocument,
  type SequenceTemplateDocument,
  sequences,
} from '../../projections/sequences/sequences.ts';
import { type ListDeps, type PageQuery, type PageThen, pageThen } from './pages.ts';
import { openPast, type Past } from './past.ts';

/** `newest`: null while only the delivered version existed. */
export type PromptThen = { readonly key: PromptKey; readonly newest: PromptDocument | null };

/** Every prompt in its newest version of then. */
export function promptsThen(past: Past): Promise<readonly PromptThen[]> {
  return Promise.all(
    PROMPT_KEYS.map(async (key) => {
      const versions = await past.documentsOf<PromptDocument>(prompts.name, [promptStream(key)]);
      return { key, newest: versions.map(({ data }) => data).sort((a, b) => b.version - a.version)[0] ?? null };
    }),
  );
}

export type SequenceThen = {
  readonly sequence: SequenceDocument;
  readonly templates: readonly SequenceTemplateDocument[];
};

/** Newest first, each with its templates in step order. Those deleted since are included: their streams are kept. */
export function sequencesThen(deps: ListDeps, query: PageQuery): Promise<PageThen<SequenceThen>> {
  const { store, moment, signal } = deps;
  const past = openPast({ store, position: moment.position, signal });
  return pageThen(deps, 'SequenceCreated', query, async ({ data: { sequenceId } }) => {
    const sequence = await past.get<SequenceDocument>(sequences.name, sequenceId);
    if (!sequence) return null;
    return {
      sequence: sequence.data,
      templates: sequence.data.templates.toSorted((a, b) => a.stepNumber - b.stepNumber),
    };
  });
}

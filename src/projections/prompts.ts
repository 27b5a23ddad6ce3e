/**
 * The saved versions of each prompt, one per document, under the name used in reports: `seo_actions@3`. The delivered
 * ones are part of the program.
 */
import type { DataOf } from '../domain/stored/eventOf.ts';
import { BUILT_IN_PROMPTS } from '../model/prompts/builtIn.ts';
import { PROMPT_KEYS, type Prompt, type PromptKey, promptFaults, promptName } from '../model/prompts/prompt.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type PromptDocument = {
  readonly id: string;
  readonly key: PromptKey;
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly is_active: boolean;
  readonly version: number;
  readonly created_at: string;
  readonly adminId: string;
  readonly note: string | null;
  /** The version whose text was restored; null if it was edited. */
  readonly revertedTo: number | null;
};

export const prompts = projection<PromptDocument>()({
  name: 'prompts',
  version: 2,
  shape: 2,
  indexes: [['key', 'version']],
  keys: ({ data }) => [promptName(data)],
  on: {
    PromptSaved: (_, { data }) => ({ ...promptOf(data, data.savedAt), note: data.note, revertedTo: null }),
    PromptReverted: (_, { data }) => ({ ...promptOf(data, data.revertedAt), note: null, revertedTo: data.revertedTo }),
  },
});

function promptOf(data: DataOf<'PromptSaved' | 'PromptReverted'>, at: string) {
  const { key, name, description, content, active, version, adminId } = data;
  return { id: promptName(data), key, name, description, content, is_active: active, version, created_at: at, adminId };
}

/** Newest first, excluding the delivered one. */
export function listPromptVersions(
  readModels: ReadModels,
  key: PromptKey,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<PromptDocument>> {
  return readModels.find('prompts', {
    where: { key },
    sort: [['version', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/** Null if unchanged from the delivered prompt. */
export async function newestPrompt(readModels: ReadModels, key: PromptKey): Promise<PromptDocument | null> {
  return (await listPromptVersions(readModels, key, { limit: 1 })).documents[0]?.data ?? null;
}

/**
 * The prompt currently used: the newest version, unless it is inactive or uses a variable that this version of the
 * program lacks.
 */
export async function promptInUse(readModels: ReadModels, key: PromptKey): Promise<Prompt> {
  const delivered = BUILT_IN_PROMPTS[key];
  const newest = await newestPrompt(readModels, key);
  if (!newest?.is_active) return delivered;
  const { version, name, description, content } = newest;
  return promptFaults({ content, variables: delivered.variables }).length > 0
    ? delivered
    : { ...delivered, version, name, description, content };
}

/** Number of prompts that differ from the delivered ones. */
export async function countChangedPrompts(readModels: ReadModels): Promise<number> {
  const used = await Promise.all(PROMPT_KEYS.map((key) => promptInUse(readModels, key)));
  return used.filter(({ key, content }) => content !== BUILT_IN_PROMPTS[key].content).length;
}

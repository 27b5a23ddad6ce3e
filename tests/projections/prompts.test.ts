import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PromptEvent } from '../../src/domain/prompt/events.ts';
import { BUILT_IN_PROMPTS } from '../../src/model/prompts/builtIn.ts';
import {
  countChangedPrompts,
  listPromptVersions,
  newestPrompt,
  promptInUse,
  prompts,
} from '../../src/projections/prompts.ts';
import type { SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { project } from '../given/stores/projection.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';

const at = '2026-03-10T12:00:00.000Z';
const TEXTS = { key: 'summary', name: 'Summary', description: '', adminId: 'eve' } as const;
const saved = (version: number, content: string, active = true): PromptEvent => ({
  type: 'PromptSaved',
  data: { ...TEXTS, version, content, active, note: null, savedAt: at },
});

let readModels: SqliteReadModels;
beforeEach(async () => {
  readModels = memoryReadModels();
  await readModels.prepare(prompts, 'v1');
  await readModels.serve('prompts', 'v1');
});
afterEach(() => readModels.close());

async function stored(...events: readonly PromptEvent[]): Promise<void> {
  const position = '00000000000000000001';
  const writes = Object.entries(project(prompts, ...events)).map(([id, data]) => ({ id, position, data }));
  await readModels.commit([{ model: 'prompts', build: 'v1', checkpoint: position, writes }]);
}

describe('the versions of prompts', () => {
  it('are kept one by one, with their notes', () => {
    const reverted: PromptEvent = {
      type: 'PromptReverted',
      data: { ...TEXTS, version: 3, content: 'One', active: true, revertedTo: 1, revertedAt: at },
    };
    const documents = project(prompts, saved(2, 'Two'), reverted);
    const kept = { ...TEXTS, is_active: true, created_at: at, note: null };
    expect(documents).toEqual({
      'summary@2': { ...kept, id: 'summary@2', version: 2, content: 'Two', revertedTo: null },
      'summary@3': { ...kept, id: 'summary@3', version: 3, content: 'One', revertedTo: 1 },
    });
  });

  it('are listed newest first, page by page, the tenth after the ninth', async () => {
    await stored(...Array.from({ length: 11 }, (_, nth) => saved(nth + 2, `Text ${nth + 2}`)));
    const first = await listPromptVersions(readModels, 'summary', { limit: 8 });
    expect(first.documents.map(({ data }) => data.version)).toEqual([12, 11, 10, 9, 8, 7, 6, 5]);
    const second = await listPromptVersions(readModels, 'summary', { limit: 8, cursor: first.cursor ?? undefined });
    expect([second.documents.map(({ data }) => data.version), second.cursor]).toEqual([[4, 3, 2], null]);
    expect(await newestPrompt(readModels, 'seo_actions')).toBeNull();
  });
});

describe('the prompt in use', () => {
  it('is the built-in one until another is saved', async () => {
    expect(await promptInUse(readModels, 'summary')).toBe(BUILT_IN_PROMPTS.summary);
    expect(await countChangedPrompts(readModels)).toBe(0);
    await stored(saved(2, 'Tell of {{max_points}} actions.'));
    expect(await promptInUse(readModels, 'summary')).toMatchObject({
      version: 2,
      name: 'Summary',
      content: 'Tell of {{max_points}} actions.',
    });
    expect(await promptInUse(readModels, 'seo_actions')).toBe(BUILT_IN_PROMPTS.seo_actions);
    expect(await countChangedPrompts(readModels)).toBe(1);
  });

  it.each([
    ['the newest is switched off', saved(3, 'Hello.', false)],
    ['the newest names a variable that there is no more', saved(3, 'Hello {{reader}}.')],
  ])('is the built-in one where %s', async (_, event) => {
    await stored(saved(2, 'Before.'), event);
    expect(await promptInUse(readModels, 'summary')).toBe(BUILT_IN_PROMPTS.summary);
    expect(await countChangedPrompts(readModels)).toBe(0);
  });
});

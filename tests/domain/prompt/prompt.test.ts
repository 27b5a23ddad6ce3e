import { describe, it } from 'vitest';
import type { PromptEvent } from '../../../src/domain/prompt/events.ts';
import { type PromptCommand, promptDecider } from '../../../src/domain/prompt/prompt.ts';
import { BUILT_IN_PROMPTS } from '../../../src/model/prompts/builtIn.ts';
import { MAX_PROMPT_LENGTH } from '../../../src/model/prompts/prompt.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(promptDecider);
const at = '2026-03-10T12:00:00.000Z';

type Save = Extract<PromptCommand, { type: 'SavePrompt' }>;
type Saved = Extract<PromptEvent, { type: 'PromptSaved' }>;
const TEXTS = {
  key: 'summary',
  name: 'Executive summary',
  description: 'For the owner',
  content: 'Tell of {{max_points}} actions.',
  adminId: 'eve',
} as const;
const save = (over: Partial<Save> = {}): Save => ({
  type: 'SavePrompt',
  ...TEXTS,
  active: true,
  note: null,
  basedOn: null,
  at,
  ...over,
});
const saved = (version: number, over: Partial<Saved['data']> = {}): Saved => ({
  type: 'PromptSaved',
  data: { ...TEXTS, active: true, note: null, version, savedAt: at, ...over },
});
const revert = (revertTo: number, basedOn: number | null = null): PromptCommand => ({
  type: 'RevertPrompt',
  key: 'summary',
  revertTo,
  basedOn,
  adminId: 'eve',
  at,
});
const reverted = (version: number, revertedTo: number, over: Partial<Saved['data']> = {}): PromptEvent => {
  const { note: _, savedAt: __, ...data } = saved(version, over).data;
  return { type: 'PromptReverted', data: { ...data, revertedTo, revertedAt: at } };
};

describe('a prompt', () => {
  it('gets a new version on each save; the built-in one is the first', () => {
    given().when(save()).then(saved(2));
    given(saved(2))
      .when(save({ note: 'Shorter' }))
      .then(saved(3, { note: 'Shorter' }));
  });

  it('is not saved over a version that the editor has not seen', () => {
    given()
      .when(save({ basedOn: 1 }))
      .then(saved(2));
    given(saved(2))
      .when(save({ basedOn: 1 }))
      .thenRefused('PROMPT_CHANGED');
    given(saved(2), reverted(3, 1))
      .when(save({ basedOn: 3 }))
      .then(saved(4));
  });

  it('returns to an earlier text as a new version; name and switch do not change', () => {
    const renamed = { name: 'For the boss', active: false, content: 'Be brief.' };
    given(saved(2, { content: 'Be long.' }), saved(3, renamed))
      .when(revert(2))
      .then(reverted(4, 2, { ...renamed, content: 'Be long.' }));
    given(saved(2, renamed))
      .when(revert(1))
      .then(reverted(3, 1, { ...renamed, content: BUILT_IN_PROMPTS.summary.content }));
  });

  it('is not reverted past a version that the admin has not seen', () => {
    given(saved(2), saved(3)).when(revert(1, 2)).thenRefused('PROMPT_CHANGED');
    given(saved(2), saved(3)).when(revert(3, 2)).thenRefused('PROMPT_CHANGED');
    given(saved(2, { content: 'Be long.' }), saved(3))
      .when(revert(2, 3))
      .then(reverted(4, 2, { content: 'Be long.' }));
  });

  it('is not changed by returning to the newest version, nor to one that never existed', () => {
    given().when(revert(1)).thenNothing();
    given(saved(2)).when(revert(2)).thenNothing();
    given(saved(2)).when(revert(3)).thenRefused('PROMPT_VERSION_NOT_FOUND');
    given(saved(2)).when(revert(0)).thenRefused('PROMPT_VERSION_NOT_FOUND');
  });

  it('reports errors in its text', () => {
    const faulty = (content: string, ...messages: string[]) =>
      given()
        .when(save({ content }))
        .thenRefused('PROMPT_INVALID', { issues: messages.map((message) => ({ path: 'content', message })) });
    faulty(
      'Write {{max_merged}} points for {{reader}}.',
      'There is no variable {{max_merged}}.',
      'There is no variable {{reader}}.',
    );
    faulty('Write {{max_points} points.', 'A variable is not closed, or its name isn’t valid.');
    faulty(' \n', 'The text is empty.');
    faulty('x'.repeat(MAX_PROMPT_LENGTH + 1), `The text has more than ${MAX_PROMPT_LENGTH} characters.`);
  });

  it('does not return to a text with a variable that no longer exists', () => {
    given(saved(2, { content: 'For {{reader}}.' }), saved(3))
      .when(revert(2))
      .thenRefused('PROMPT_INVALID');
  });
});

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
const TEXTS = { key: 'summary', name: 'Executive summary', description: 'For the owner', content: 'Tell of {{max_points}} actions.', adminId: 'eve' } as const;
const save = (over: Partial<Save> = {}): Save => ({ type: 'SavePrompt', ...TEXTS, active: true, note: null, basedOn: null, at, ...over });
const saved = (version: number, over: Partial<Saved['data']> = {}): Saved => ({
  type: 'PromptSaved',
  data: { ...TEXTS, active: true, note: null, version, savedAt: at, ...over },
});
const revert = (revertTo: number): PromptCommand => ({ type: 'RevertPrompt', key: 'summary', revertTo, adminId: 'eve', at });
const reverted = (version: number, revertedTo: number, over: Partial<Saved['data']> = {}): PromptEvent => {
  const { note: _, savedAt: __, ...data } = saved(version, over).data;
  return { type: 'PromptReverted', data: { ...data, revertedTo, revertedAt: at } };
};

describe('a prompt', () => {
  it('is a new version each time it is saved; the delivered one is the first', () => {
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

  it('goes back to an earlier text, as a new version; its name and its switch stay', () => {
    const renamed = { name: 'For the boss', active: false, content: 'Be brief.' };
    given(saved(2, { content: 'Be long.' }), saved(3, renamed))
      .when(revert(2))
      .then(reverted(4, 2, { ...renamed, content: 'Be long.' }));
    given(saved(2, renamed))
      .when(revert(1))
      .then(reverted(3, 1, { ...renamed, content: BUILT_IN_PROMPTS.summary.content }));
  });

  it('is where it is: no version is made of the newest one, and none of one that never was', () => {
    given().when(revert(1)).thenNothing();
    given(saved(2)).when(revert(2)).thenNothing();
    given(saved(2)).when(revert(3)).thenRefused('PROMPT_VERSION_NOT_FOUND');
    given(saved(2)).when(revert(0)).thenRefused('PROMPT_VERSION_NOT_FOUND');
  });

  it('says what is wrong with its text', () => {
    const faulty = (content: string, ...messages: string[]) =>
      given()
        .when(save({ content }))
        .thenRefused('PROMPT_INVALID', { issues: messages.map((message) => ({ path: 'content', message })) });
    faulty('Write {{max_merged}} points for {{reader}}.', 'There is no variable {{max_merged}}.', 'There is no variable {{reader}}.');
    faulty('Write {{max_points} points.', 'A variable is not closed, or its name is no name.');
    faulty(' \n', 'The text is empty.');
    faulty('x'.repeat(MAX_PROMPT_LENGTH + 1), `The text has more than ${MAX_PROMPT_LENGTH} characters.`);
  });

  it('is not brought back with a variable that there is no more', () => {
    given(saved(2, { content: 'For {{reader}}.' }), saved(3))
      .when(revert(2))
      .thenRefused('PROMPT_INVALID');
  });
});

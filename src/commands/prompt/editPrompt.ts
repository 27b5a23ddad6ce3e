import { promptStream } from '../../domain/prompt/events.ts';
import { type PromptCommand, promptDecider } from '../../domain/prompt/prompt.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';

type Input<Type extends PromptCommand['type']> = Omit<Extract<PromptCommand, { readonly type: Type }>, 'type' | 'at'>;

/** Saves the next version of the prompt. @throws DomainError PROMPT_INVALID, PROMPT_CHANGED */
export async function savePrompt(ctx: CommandContext, input: Input<'SavePrompt'>): Promise<Position> {
  return (await handle(ctx, promptDecider, promptStream(input.key), { type: 'SavePrompt', ...input, at: ctx.now() }))
    .position;
}

/**
 * Saves the text of an earlier version as the next one.
 * @throws DomainError PROMPT_VERSION_NOT_FOUND, PROMPT_INVALID, PROMPT_CHANGED
 */
export async function revertPrompt(ctx: CommandContext, input: Input<'RevertPrompt'>): Promise<Position> {
  return (await handle(ctx, promptDecider, promptStream(input.key), { type: 'RevertPrompt', ...input, at: ctx.now() }))
    .position;
}

/**
 * For the first event written by the holder of a work item: appended at exactly the revision that was folded, or not at
 * all.
 */
import type { Decider, DomainEvent } from '../domain/decider.ts';
import { RevisionConflict } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { derivedId } from './derivedId.ts';
import { envelope, type Handled, type Loaded } from './handle.ts';

/**
 * Null if the stream was written to since `loaded` was read, so that only one of two holders of the same work item
 * proceeds.
 * @throws DomainError from `decide`; StreamDeleted; whatever the store throws
 */
export async function handleOnce<State, Command extends { readonly type: string }, Event extends DomainEvent>(
  ctx: CommandContext,
  decider: Decider<State, Command, Event>,
  stream: string,
  command: Command,
  loaded: Loaded<State>,
): Promise<Handled<State, Event> | null> {
  const { state, revision, position } = loaded;
  const events = decider.decide(command, state);
  if (events.length === 0) return { events, state, revision, position };
  const written = events.map((event, index) =>
    envelope(ctx, derivedId(ctx.commandId, stream, 'once', String(index)), event),
  );
  try {
    const appended = await ctx.store.append(stream, written, { expected: revision ?? 'no_stream' });
    return { events, state: events.reduce(decider.evolve, state), ...appended };
  } catch (error) {
    if (error instanceof RevisionConflict) return null;
    throw error;
  }
}

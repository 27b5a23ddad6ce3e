/** The first event of who holds a piece of work: written at exactly the revision that was folded, or not at all. */
import type { Decider, DomainEvent } from '../domain/decider.ts';
import { RevisionConflict } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { derivedId } from './derivedId.ts';
import { envelope, type Handled, type Loaded } from './handle.ts';

/**
 * Null when somebody has written to the stream since `loaded` was read, so that of two who hold the same piece of work one goes on.
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
  const written = events.map((event, index) => envelope(ctx, derivedId(ctx.commandId, stream, 'once', String(index)), event));
  try {
    const appended = await ctx.store.append(stream, written, { expected: revision ?? 'no_stream' });
    return { events, state: events.reduce(decider.evolve, state), ...appended };
  } catch (error) {
    if (error instanceof RevisionConflict) return null;
    throw error;
  }
}

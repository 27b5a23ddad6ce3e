/** What every command is given from the edge: the store, the time, who asks, what led to it, and the id that makes a repeat harmless. */
import type { Actor } from '../domain/stored/metadata.ts';
import type { EventStore } from '../eventStore/eventStore.ts';

export type CommandContext = {
  readonly store: EventStore;
  /** UTC ISO. */
  readonly now: () => string;
  /** UUID of this command. Sent again with the same id, it leads to the same events and ids, once. */
  readonly commandId: string;
  readonly actor: Actor;
  /** The request, or the event that was taken up; the command itself where neither led to it. */
  readonly correlationId: string;
};

/** The event that a worker, a follower or a sweep took up. */
export type Cause = { readonly id: string };

/** A command of its own each time. Null: the clock or an operator began it, no event did. */
export type ContextOf = (cause: Cause | null) => CommandContext;

/** Of a command that no request led to. */
export function contextOf(parts: Omit<CommandContext, 'correlationId'>, cause: Cause | null): CommandContext {
  return { ...parts, correlationId: cause?.id ?? parts.commandId };
}

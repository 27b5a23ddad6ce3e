/** What every command is passed: the store, the time, the actor, the cause, and the id that makes repeats harmless. */
import type { Actor } from '../domain/stored/metadata.ts';
import type { EventStore } from '../eventStore/eventStore.ts';

export type CommandContext = {
  readonly store: EventStore;
  /** UTC ISO. */
  readonly now: () => string;
  /** UUID of this command. Repeated with the same id, it produces the same events and ids, once. */
  readonly commandId: string;
  readonly actor: Actor;
  /** The request, or the event being processed; the command itself if neither caused it. */
  readonly correlationId: string;
  /**
   * Aborts when nobody waits for the outcome any more: then a command that would have to wait or try again is given up.
   */
  readonly signal?: AbortSignal;
};

/** The event that a worker, a follower or a sweep is processing. */
export type Cause = { readonly id: string };

/** Creates a separate command each time. Null: started by a timer or an operator rather than by an event. */
export type ContextOf = (cause: Cause | null) => CommandContext;

/** The context of a command that no request caused. */
export function contextOf(parts: Omit<CommandContext, 'correlationId'>, cause: Cause | null): CommandContext {
  return { ...parts, correlationId: cause?.id ?? parts.commandId };
}

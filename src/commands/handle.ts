/** The one way a command becomes events: read, fold, decide, append at the revision just read. */
import { type Decider, DomainError, type DomainEvent } from '../domain/decider.ts';
import {
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
  type Revision,
  RevisionConflict,
  START,
  StreamDeleted,
  type StreamRead,
} from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { derivedId } from './derivedId.ts';

export type Handled<State, Event> = {
  /** What this call wrote; empty when it was done already. */
  readonly events: readonly Event[];
  readonly state: State;
  /** Of the stream's last event; null when there is none. */
  readonly revision: Revision | null;
  readonly position: Position;
};

/** Somebody wins each round, so a command gets through after as many tries as others write to its stream at that moment. */
const MAX_TRIES = 200;

/**
 * The same command with the same `ctx.commandId` is written once, however often and by whomever it is sent; its time (`at`) may differ.
 * @throws DomainError from `decide`; StreamDeleted; whatever the store throws.
 */
export async function handle<State, Command extends { readonly type: string }, Event extends DomainEvent>(
  ctx: CommandContext,
  decider: Decider<State, Command, Event>,
  stream: string,
  command: Command,
): Promise<Handled<State, Event>> {
  const fingerprint = JSON.stringify(command, (key, value: unknown) => (key === 'at' ? undefined : value));
  const idOf = (index: number): string => derivedId(ctx.commandId, stream, fingerprint, String(index));
  const firstId = idOf(0);
  for (let tries = 1; ; tries += 1) {
    const { status, state, revision, position, events: past } = await loadState(ctx.store, decider, stream);
    if (status === 'deleted') throw new StreamDeleted(stream);
    const events = past.some((event) => event.id === firstId) ? [] : decider.decide(command, state);
    if (events.length === 0) return { events, state, revision, position };
    try {
      const appended = await ctx.store.append(
        stream,
        events.map((event, index) => envelope(ctx, idOf(index), event)),
        { expected: revision ?? 'no_stream' },
      );
      return { events, state: events.reduce(decider.evolve, state), ...appended };
    } catch (error) {
      if (!(error instanceof RevisionConflict) || tries >= MAX_TRIES) throw error;
    }
  }
}

/** What is deleted while somebody works on it is not there: for streams that go with a job. @throws DomainError JOB_NOT_FOUND */
export async function existing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StreamDeleted) throw new DomainError('JOB_NOT_FOUND', 'Job not found');
    throw error;
  }
}

/** The event with who did it, when, and what led to it. */
export function envelope(ctx: CommandContext, id: string, { type, data }: DomainEvent): NewEvent {
  const correlation = ctx.correlationId === undefined ? {} : { correlationId: ctx.correlationId };
  return { id, type, data, metadata: { actor: ctx.actor, at: ctx.now(), causationId: ctx.commandId, ...correlation } };
}

export type Loaded<State> = {
  readonly status: StreamRead['status'];
  /** The initial state when the stream is missing or deleted. */
  readonly state: State;
  /** Of the stream's last event; null when there is none. */
  readonly revision: Revision | null;
  /** Of the stream's last event; START when there is none. */
  readonly position: Position;
  readonly events: readonly RecordedEvent[];
};

/** Reads a stream and folds it. */
export async function loadState<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  stream: string,
): Promise<Loaded<State>> {
  const read = await store.read(stream);
  if (read.status !== 'found') return { status: read.status, state: decider.initialState(), revision: null, position: START, events: [] };
  // What stands in the log was written by this decider: its types are the stream's storage format.
  const state = read.events.reduce((folded, event) => decider.evolve(folded, event as unknown as Event), decider.initialState());
  return { status: 'found', state, revision: read.revision, position: read.events.at(-1)?.position ?? START, events: read.events };
}

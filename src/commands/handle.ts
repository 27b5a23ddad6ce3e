/** The only way a command becomes events: read, fold, decide, append at the revision that was read. */
import { type Decider, DomainError, type DomainEvent } from '../domain/decider.ts';
import {
  type AppendResult,
  type EventStore,
  type NewEvent,
  type Position,
  type Recorded,
  type RecordedEvent,
  type Revision,
  RevisionConflict,
  START,
  StreamDeleted,
  type StreamRead,
} from '../eventStore/eventStore.ts';
import { backOff } from './backOff.ts';
import type { CommandContext } from './context.ts';
import { derivedIds } from './derivedId.ts';
import { foldAppended, foldStream, isFolded } from './foldedStream.ts';
import { isOwn } from './isOwn.ts';
import { oneAtATime } from './oneAtATime.ts';

export type Handled<State, Event> = {
  /** What this call wrote; empty if it was already done. */
  readonly events: readonly Event[];
  readonly state: State;
  /** Revision of the stream's last event; null if there is none. */
  readonly revision: Revision | null;
  readonly position: Position;
};

/**
 * Each round has a winner, so a command succeeds after as many attempts as there are processes writing to its stream.
 */
const MAX_TRIES = 40;

/**
 * A command with the same `ctx.commandId` is written once, however often and by whomever it is sent; its time (`at`)
 * may differ, and so may its fields `drawn`, which are drawn again for each attempt.
 * @throws DomainError from `decide`; StreamDeleted; whatever the store throws; the reason of `ctx.signal` if that
 *   aborts while it waits for others or before a further attempt
 */
export async function handle<State, Command extends { readonly type: string }, Event extends DomainEvent>(
  ctx: CommandContext,
  decider: Decider<State, Command, Event>,
  stream: string,
  command: Command,
  { drawn = [] }: { readonly drawn?: readonly (keyof Command & string)[] } = {},
): Promise<Handled<State, Event>> {
  const varying = new Set<string>(['at', ...drawn]);
  const fingerprint = JSON.stringify(command, (key, value: unknown) => (varying.has(key) ? undefined : value));
  const derived = derivedIds(ctx.commandId, stream, fingerprint);
  const idOf = (index: number): string => derived(String(index));
  const firstId = idOf(0);

  /** Null if somebody else wrote to the stream meanwhile. */
  async function attempt(isLast: boolean): Promise<Handled<State, Event> | null> {
    const { status, state, revision, position, holds, after } = await load(ctx.store, decider, stream);
    if (status === 'deleted') throw new StreamDeleted(stream);
    const decided = (await holds(firstId)) ? [] : decider.decide(command, state);
    if (decided.length === 0) return { events: decided, state, revision, position };
    const events = decided.map((event, index) => envelope(ctx, idOf(index), event));
    try {
      const appended = await ctx.store.append(stream, events, { expected: revision ?? 'no_stream' });
      return { events: decided, state: after(events, appended), ...appended };
    } catch (error) {
      if (!(error instanceof RevisionConflict) || isLast) throw error;
      return null;
    }
  }

  return oneAtATime(ctx.store, stream, ctx.signal, async () => {
    for (let tries = 1; ; tries += 1) {
      const handled = await attempt(tries >= MAX_TRIES);
      if (handled) return handled;
      await backOff(tries, ctx.signal);
    }
  });
}

/**
 * Treats what was deleted in the meantime as missing: for streams that are deleted with a job.
 * @throws DomainError JOB_NOT_FOUND
 */
export async function existing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StreamDeleted) throw new DomainError('JOB_NOT_FOUND', 'Job not found');
    throw error;
  }
}

/** Adds to the event who did it, when, and why. */
export function envelope(ctx: CommandContext, id: string, { type, data }: DomainEvent): NewEvent {
  const { actor, correlationId, commandId: causationId } = ctx;
  return { id, type, data, metadata: { actor, at: ctx.now(), correlationId, causationId } };
}

export type Loaded<State> = {
  readonly status: StreamRead['status'];
  /** The initial state when the stream is missing or deleted. */
  readonly state: State;
  /** Revision of the stream's last event; null if there is none. */
  readonly revision: Revision | null;
  /** Position of the stream's last event; START if there is none. */
  readonly position: Position;
};

/** The state of a stream. For a decider with `keptFrom`, only events since its last fold are read. */
export async function loadState<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  stream: string,
): Promise<Loaded<State>> {
  const { status, state, revision, position } = await load(store, decider, stream);
  return { status, state, revision, position };
}

/** The state of a stream together with all its events. */
export async function loadHistory<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  stream: string,
): Promise<Loaded<State> & { readonly events: readonly Recorded<Event>[] }> {
  const read = await store.read(stream);
  if (read.status !== 'found') return { ...nothing(decider, read.status), events: [] };
  const { revision } = read;
  const events = read.events.filter(isOwn<Event, RecordedEvent>);
  return {
    status: 'found',
    state: events.reduce(decider.evolve, decider.initialState()),
    revision,
    position: events.at(-1)?.position ?? START,
    events,
  };
}

type ToWriteOn<State> = Loaded<State> & {
  /** Whether an event with that id exists. */
  readonly holds: (id: string) => boolean | Promise<boolean>;
  /** The state after the appended events. */
  readonly after: (events: readonly NewEvent[], appended: AppendResult) => State;
};

async function load<State, Command, Event extends DomainEvent>(
  store: EventStore,
  decider: Decider<State, Command, Event>,
  stream: string,
): Promise<ToWriteOn<State>> {
  const after = (state: State) => (events: readonly NewEvent[]) => folded(decider, state, events);
  const fold = isKept(decider) ? await foldStream(store, decider, stream) : 'unknown';
  if (fold === 'missing' || fold === 'deleted') {
    const empty = nothing(decider, fold);
    return { ...empty, holds: () => false, after: after(empty.state) };
  }
  if (fold !== 'unknown' && isKept(decider)) {
    const { state, last } = fold;
    return {
      status: 'found',
      state,
      revision: last.revision,
      position: last.position,
      holds: (id) => isFolded(store, stream, fold, id),
      after: (events, appended) => foldAppended(store, decider, stream, { fold, events, appended }),
    };
  }
  const { events: past, ...loaded } = await loadHistory(store, decider, stream);
  return { ...loaded, holds: (id) => past.some((event) => event.id === id), after: after(loaded.state) };
}

function isKept<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): decider is Decider<State, Command, Event> & { readonly keptFrom: number } {
  return decider.keptFrom !== undefined;
}

const nothing = <State, Command, Event extends DomainEvent>(
  { initialState }: Decider<State, Command, Event>,
  status: 'missing' | 'deleted',
): Loaded<State> => ({ status, state: initialState(), revision: null, position: START });

function folded<State, Command, Event extends DomainEvent>(
  { evolve }: Decider<State, Command, Event>,
  state: State,
  events: readonly DomainEvent[],
): State {
  return events.filter(isOwn<Event, DomainEvent>).reduce(evolve, state);
}

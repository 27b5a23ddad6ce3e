/** A state of any decider, folded on event by event without knowing whose it is. */
import type { Decider, DomainEvent } from '../domain/decider.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';

export type Folded = {
  readonly after: (event: RecordedEvent) => Folded;
  /** The state as JSON. With `about`, of what grows with the stream only what that event may have touched. */
  readonly shown: (about?: RecordedEvent) => unknown;
};

type Fold<State, Event extends DomainEvent> = Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>;
type Shown<State> = (state: State, about?: RecordedEvent) => unknown;

/** The beginning of every stream of that decider. `shown`: for states that are no plain JSON, or grow with their stream. */
export function foldOf<State, Event extends DomainEvent>({ initialState, evolve }: Fold<State, Event>, shown: Shown<State> = (state) => state): Folded {
  const at = (state: State): Folded => ({
    // What cannot be read changes nothing: the history says so beside it.
    after: (event) => (isOwn<Event>(event) ? at(evolve(state, event)) : at(state)),
    shown: (about) => shown(state, about),
  });
  return at(initialState());
}

/** A stream is written by its decider alone. */
function isOwn<Event extends DomainEvent>(event: RecordedEvent): event is RecordedEvent & Event {
  return event.unreadable === undefined;
}

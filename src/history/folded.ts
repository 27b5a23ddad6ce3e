/** The state of any decider, folded event by event without knowing which decider it is. */
import type { Decider, DomainEvent } from '../domain/decider.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';

export type Folded = {
  readonly after: (event: RecordedEvent) => Folded;
  /**
   * The state as JSON. With `about`, collections that grow with the stream are limited to what that event may have
   * changed.
   */
  readonly shown: (about?: RecordedEvent) => unknown;
};

type Fold<State, Event extends DomainEvent> = Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>;
type Shown<State> = (state: State, about?: RecordedEvent) => unknown;

/** The initial state of that decider. `shown`: for states that are not plain JSON or that grow with their stream. */
export function foldOf<State, Event extends DomainEvent>(
  { initialState, evolve }: Fold<State, Event>,
  shown: Shown<State> = (state) => state,
): Folded {
  const at = (state: State): Folded => ({
    // Unreadable events change nothing; the history shows them as such.
    after: (event) => (isOwn<Event>(event) ? at(evolve(state, event)) : at(state)),
    shown: (about) => shown(state, about),
  });
  return at(initialState());
}

/** Each stream is written only by its own decider. */
function isOwn<Event extends DomainEvent>(event: RecordedEvent): event is RecordedEvent & Event {
  return event.unreadable === undefined;
}

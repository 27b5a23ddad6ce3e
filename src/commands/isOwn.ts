import type { DomainEvent } from '../domain/decider.ts';
import { UnreadableEvent } from '../eventStore/eventStore.ts';

type Unreadable = ConstructorParameters<typeof UnreadableEvent>[0];

/**
 * Always true: a stream is written by its decider alone, and the store hands on what it read in the shape of today, so that its events are the decider's.
 * @throws UnreadableEvent for one that says nothing: what was decided without it could be wrong
 */
export function isOwn<Event extends DomainEvent, Read extends DomainEvent>(event: Read): event is Read & Event {
  if (isUnreadable(event)) throw new UnreadableEvent(event);
  return true;
}

const isUnreadable = (event: DomainEvent | Unreadable): event is Unreadable => 'unreadable' in event && event.unreadable !== undefined;

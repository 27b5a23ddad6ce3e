import type { DomainEvent } from '../domain/decider.ts';
import { UnreadableEvent } from '../eventStore/eventStore.ts';

type Unreadable = ConstructorParameters<typeof UnreadableEvent>[0];

/**
 * Always true: only its decider writes a stream, and the store converts events to the current shape, so they are the
 * decider's.
 * @throws UnreadableEvent for an event that cannot be interpreted: a decision without it could be wrong
 */
export function isOwn<Event extends DomainEvent, Read extends DomainEvent>(event: Read): event is Read & Event {
  if (isUnreadable(event)) throw new UnreadableEvent(event);
  return true;
}

const isUnreadable = (event: DomainEvent | Unreadable): event is Unreadable =>
  'unreadable' in event && event.unreadable !== undefined;

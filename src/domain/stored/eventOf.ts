/** Type guards: narrows an event that was read to a known type with its data. */
import type { ProductEvent } from '../eventTypes.ts';

export type EventType = ProductEvent['type'];
export type EventOf<Type extends EventType> = Extract<ProductEvent, { readonly type: Type }>;
export type DataOf<Type extends EventType> = EventOf<Type>['data'];

type Read = { readonly type: string; readonly data: object; readonly unreadable?: string };

/**
 * Whether an event is of one of these types and readable. The store has already converted it to the current shape
 * (`currentEvent`).
 */
export function isOf<Type extends EventType, Event extends Read>(
  event: Event,
  ...types: readonly Type[]
): event is Event & EventOf<Type> {
  return event.unreadable === undefined && types.some((type) => type === event.type);
}

/** The events that are of one of these types and readable. */
export function eventsOf<Type extends EventType, Event extends Read>(
  events: readonly Event[],
  ...types: readonly Type[]
): readonly (Event & EventOf<Type>)[] {
  return events.filter((event) => isOf(event, ...types));
}

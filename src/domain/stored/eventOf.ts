/** Telling events apart: from what was read to an event of a known type, with its data. */
import type { ProductEvent } from '../eventTypes.ts';

export type EventType = ProductEvent['type'];
export type EventOf<Type extends EventType> = Extract<ProductEvent, { readonly type: Type }>;
export type DataOf<Type extends EventType> = EventOf<Type>['data'];

type Read = { readonly type: string; readonly data: object; readonly unreadable?: string };

/** Whether an event is of one of these types and may be relied on. What was read is in the shape of today: the store sees to that (`currentEvent`). */
export function isOf<Type extends EventType, Event extends Read>(event: Event, ...types: readonly Type[]): event is Event & EventOf<Type> {
  return event.unreadable === undefined && types.some((type) => type === event.type);
}

/** Those of the events that are of one of these types and may be relied on. */
export function eventsOf<Type extends EventType, Event extends Read>(events: readonly Event[], ...types: readonly Type[]): readonly (Event & EventOf<Type>)[] {
  return events.filter((event) => isOf(event, ...types));
}

/** Filtering events in memory. */
import type { EventFilter, RecordedEvent } from './eventStore.ts';

/** Whether an event matches every given list of the filter. */
export function passes(
  { type, stream }: Pick<RecordedEvent, 'type' | 'stream'>,
  filter: EventFilter | undefined,
): boolean {
  if (filter?.types !== undefined && !filter.types.includes(type)) return false;
  return filter?.streamPrefixes === undefined || filter.streamPrefixes.some((prefix) => stream.startsWith(prefix));
}

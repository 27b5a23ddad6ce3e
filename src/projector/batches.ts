/** What is committed together: as much as changes only so many documents, since nothing else runs during a commit. */
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { Lane } from './projectionLane.ts';

/** More only if a single event names more. */
const DOCUMENTS = 1_000;

/** The events in parts, at least one; each but a single one of many documents is below the limit. */
export function batchesOf(
  lanes: readonly Pick<Lane, 'projection' | 'handles'>[],
  events: readonly RecordedEvent[],
): readonly (readonly RecordedEvent[])[] {
  const batches: RecordedEvent[][] = [[]];
  let documents = 0;
  for (const event of events) {
    const more = documentsOf(lanes, event);
    if (documents > 0 && documents + more > DOCUMENTS) {
      batches.push([]);
      documents = 0;
    }
    batches.at(-1)?.push(event);
    documents += more;
  }
  return batches;
}

function documentsOf(lanes: readonly Pick<Lane, 'projection' | 'handles'>[], event: RecordedEvent): number {
  let documents = 0;
  for (const { projection, handles } of lanes) if (handles.has(event.type)) documents += keysOf(projection, event);
  return documents;
}

/** One if the event cannot be read, or its keys cannot: its stream is then parked. */
function keysOf(projection: Lane['projection'], event: RecordedEvent): number {
  if (event.unreadable !== undefined) return 1;
  try {
    return projection.keys(event).length;
  } catch {
    return 1;
  }
}

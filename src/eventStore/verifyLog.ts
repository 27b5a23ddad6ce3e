/** Reads the whole log and says which of its events are not in the shape of their type, and where. */
import { currentEvent, type Problem, problemsOf } from '../domain/stored/current.ts';
import { type EventStore, type Position, type RecordedEvent, START } from './eventStore.ts';

/** An event that is not as it should be; no value of it is shown. */
export type Fault = Pick<RecordedEvent, 'position' | 'stream' | 'type'> & { readonly revision: string; readonly problems: readonly Problem[] };

export type VerifyOptions = {
  readonly store: EventStore;
  readonly onFault: (fault: Fault) => void;
  /** After each page. */
  readonly onProgress?: (progress: { readonly events: number; readonly position: Position }) => void;
  readonly signal?: AbortSignal;
};

const PAGE = 500;

/** @throws the signal's reason; what the store throws */
export async function verifyLog({ store, onFault, onProgress, signal }: VerifyOptions): Promise<{ readonly events: number; readonly faults: number }> {
  const counts = { events: 0, faults: 0 };
  for (let after = START; ; ) {
    signal?.throwIfAborted();
    const page = await store.readAll({ after, limit: PAGE });
    for (const event of page.events) {
      const problems = faultsOf(currentEvent(event));
      counts.events += 1;
      if (problems.length === 0) continue;
      counts.faults += 1;
      const { position, stream, revision, type } = event;
      onFault({ position, stream, revision: String(revision), type, problems });
    }
    after = page.next;
    onProgress?.({ events: counts.events, position: after });
    if (page.end) return counts;
    // The embedded store answers without ever leaving the current turn.
    await new Promise(setImmediate);
  }
}

function faultsOf(event: RecordedEvent): readonly Problem[] {
  const { unreadable } = event;
  return unreadable === undefined ? problemsOf(event) : [{ path: 'event', expected: `something readable: ${unreadable}` }];
}

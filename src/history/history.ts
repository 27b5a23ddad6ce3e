/** What each event of a stream changed: the state before it and after it, and what differs. */
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { type Differences, differences } from './differences.ts';
import type { Folded } from './folded.ts';

export type HistoryStep = {
  readonly event: RecordedEvent;
  readonly before: Folded;
  readonly after: Folded;
  /** Of the two states, without what is secret. */
  readonly differences: () => Differences;
};

/**
 * In the order of the stream, from the state before its first event (`foldOf(decider)`) or before the first one given. Each step costs what the event
 * changes; what differs is worked out for those steps alone that are asked.
 */
export function* history(start: Folded, events: Iterable<RecordedEvent>, secret: ReadonlySet<string>): Generator<HistoryStep> {
  let before = start;
  for (const event of events) {
    const state = before;
    const after = state.after(event);
    yield { event, before: state, after, differences: () => differences(state.shown(event), after.shown(event), secret) };
    before = after;
  }
}

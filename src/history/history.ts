/** What each event of a stream changed: the states before and after it, and their differences. */
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { type Differences, differences } from './differences.ts';
import type { Folded } from './folded.ts';

export type HistoryStep = {
  readonly event: RecordedEvent;
  readonly before: Folded;
  readonly after: Folded;
  /** Between the two states, with secrets hidden. */
  readonly differences: () => Differences;
};

/**
 * In stream order, starting from the state before the stream's first event (`foldOf(decider)`) or before the first
 * event given. Each step costs only what its event changes; differences are computed on demand.
 */
export function* history(
  start: Folded,
  events: Iterable<RecordedEvent>,
  secret: ReadonlySet<string>,
): Generator<HistoryStep> {
  let before = start;
  for (const event of events) {
    const state = before;
    const after = state.after(event);
    yield {
      event,
      before: state,
      after,
      differences: () => differences(state.shown(event), after.shown(event), secret),
    };
    before = after;
  }
}

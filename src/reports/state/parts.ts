/**
 * Reports folded in parts: each part has all events of some streams, so several threads can fold a long log at once.
 * Only for reports that say how the states of parts are merged.
 */
import type { Position } from '../../eventStore/eventStore.ts';
import type { AnyReport } from '../report.ts';
import type { Folded, RunProgress } from '../run.ts';

/** Whether all of them can be folded in parts. */
export const allowsParts = (reports: readonly AnyReport[]): boolean =>
  reports.every(({ merge }) => merge !== undefined);

/** What a part leads to: plain data that threads can exchange. */
export type FoldedPart = Omit<Folded, 'report' | 'until' | 'last' | 'made'>;

export function partOf({ state, position, events, unreadable, newest, lastAt, countsTo, endedAt }: Folded): FoldedPart {
  return { state, position, events, unreadable, newest, lastAt, countsTo, endedAt };
}

/**
 * Merges the parts of a report into `folded`, from which nothing has been folded yet. False if they do not add up to
 * what one reading makes: as of a past time, that ends at the first event well past it, wherever it is, and a part may
 * have found an event of that time after it. `folded` is then unchanged. Otherwise the parts are used up.
 */
export function mergeParts(folded: Folded, parts: readonly FoldedPart[]): boolean {
  const { merge } = folded.report;
  const [first, ...others] = parts;
  if (!merge || !first) return false;
  const endedAt = earliest(parts.flatMap((part) => part.endedAt ?? []));
  if (endedAt !== null && parts.some(({ countsTo }) => countsTo > endedAt)) return false;
  folded.state = others.reduce((state, part) => merge(state, part.state), first.state);
  folded.endedAt = endedAt;
  folded.position = earliest(parts.map(({ position }) => position)) ?? folded.position;
  for (const { events, unreadable, newest, countsTo } of parts) {
    folded.events += events;
    folded.unreadable += unreadable;
    if (newest !== null && (folded.newest === null || newest > folded.newest)) folded.newest = newest;
    if (countsTo > folded.countsTo) folded.countsTo = countsTo;
  }
  return true;
}

const earliest = (positions: readonly Position[]): Position | null => positions.toSorted()[0] ?? null;

/** Of all parts: how much is done on average, and when the slowest will be. */
export function progressOf(parts: readonly RunProgress[]): RunProgress {
  const left = parts.map(({ secondsLeft }) => secondsLeft);
  return {
    done: parts.reduce((sum, { done }) => sum + done, 0) / parts.length,
    events: parts.reduce((sum, { events }) => sum + events, 0),
    secondsLeft: left.includes(null) ? null : Math.max(...left.map((seconds) => seconds ?? 0)),
  };
}

/** Consistency between streams: each check is a fold over the log, in order, of events upcast to the current format. */
import type { RecordedEvent } from '../../eventStore.ts';
import { type Fault, faultAt } from '../fault.ts';

export type ReferenceCheck = {
  readonly name: string;
  /**
   * `isKept`: whether facts about a key (the id of a job, of a user, of a payment …) are remembered. It may become more
   * restrictive over time.
   */
  readonly begin: (isKept?: (key: string) => boolean) => {
    readonly take: (event: RecordedEvent) => void;
    /** Drops what is no longer kept. */
    readonly keepLess: () => void;
    /** What is missing at the end of the log, given the time of its last event (UTC ISO). */
    readonly end: (at: string) => readonly Fault[];
  };
};

/** How long a follower or a sweep may take to finish something, ms. */
export const SETTLED_MS = 24 * 60 * 60 * 1_000;

type Row = {
  readonly name: string;
  /** The key that an event depends on; null: none. */
  readonly needs: (event: RecordedEvent) => string | null;
  /** The key that an event provides. It may come later in the log. */
  readonly gives: (event: RecordedEvent) => string | null;
  readonly text: string;
  /** It may be missing for a while. */
  readonly isSettledLater?: true;
};

type Needing = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'> & { readonly at: string };

/** Every event has what it depends on. */
export function reference({ name, needs, gives, text, isSettledLater }: Row): ReferenceCheck {
  return {
    name,
    begin(isKept = () => true) {
      const given = new Set<string>();
      const needed = new Map<string, Needing>();
      return {
        take(event) {
          const gift = gives(event);
          if (gift !== null && isKept(gift)) {
            given.add(gift);
            needed.delete(gift);
          }
          const need = needs(event);
          if (need !== null && isKept(need) && !given.has(need) && !needed.has(need)) needed.set(need, placeOf(event));
        },
        keepLess() {
          for (const keys of [given, needed]) forget(keys, isKept);
        },
        end: (at) =>
          [...needed.values()]
            .filter((place) => !isSettledLater || isOlder(place.at, at))
            .map((place) => faultAt(place, 'references', text)),
      };
    },
  };
}

/** Removes the keys of a set or map that are no longer kept. */
export function forget(
  keys: { keys(): Iterable<string>; delete(key: string): boolean },
  isKept: (key: string) => boolean,
): void {
  for (const key of keys.keys()) if (!isKept(key)) keys.delete(key);
}

export const placeOf = ({ position, stream, type, revision, metadata }: RecordedEvent): Needing => ({
  position,
  stream,
  type,
  revision,
  at: metadata.at,
});

export const isOlder = (at: string, end: string): boolean => Date.parse(end) - Date.parse(at) > SETTLED_MS;

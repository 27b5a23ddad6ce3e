/** What one stream says of another, held against it: each check is a fold over the log, in its order, of events in the shape of today. */
import type { RecordedEvent } from '../../eventStore.ts';
import { type Fault, faultAt } from '../fault.ts';

export type ReferenceCheck = {
  readonly name: string;
  /** `isKept`: whether what is said of a key (the id of a job, of a user, of a payment …) is remembered. It may come to leave out more. */
  readonly begin: (isKept?: (key: string) => boolean) => {
    readonly take: (event: RecordedEvent) => void;
    /** Forgets what is not kept any more. */
    readonly keepLess: () => void;
    /** What is missing at the end of the log, whose last event is of that time (UTC ISO). */
    readonly end: (at: string) => readonly Fault[];
  };
};

/** What is finished by a follower or a sweep may take so long, ms. */
export const SETTLED_MS = 24 * 60 * 60 * 1_000;

type Row = {
  readonly name: string;
  /** What an event relies on; null: on nothing. */
  readonly needs: (event: RecordedEvent) => string | null;
  /** What an event is relied on for. It may come later in the log. */
  readonly gives: (event: RecordedEvent) => string | null;
  readonly text: string;
  /** It may be missing for a while. */
  readonly isSettledLater?: true;
};

type Needing = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'revision'> & { readonly at: string };

/** Every event that needs something has what it needs. */
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
        end: (at) => [...needed.values()].filter((place) => !isSettledLater || isOlder(place.at, at)).map((place) => faultAt(place, 'references', text)),
      };
    },
  };
}

/** Of a set or a map. */
export function forget(keys: { keys(): Iterable<string>; delete(key: string): boolean }, isKept: (key: string) => boolean): void {
  for (const key of keys.keys()) if (!isKept(key)) keys.delete(key);
}

export const placeOf = ({ position, stream, type, revision, metadata }: RecordedEvent): Needing => ({ position, stream, type, revision, at: metadata.at });

export const isOlder = (at: string, end: string): boolean => Date.parse(end) - Date.parse(at) > SETTLED_MS;

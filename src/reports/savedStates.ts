/**
 * Folded states of reports beside the read models, so that a process that starts anew reads only what came since. One counts where its fold is today's and
 * the log still has, where it ended, the very event that was folded last. Whatever fails here costs time alone.
 */
import { deserialize, serialize } from 'node:v8';
import { hashOf } from '../eventStore/chain/eventHash.ts';
import type { EventStore, Position, RecordedEvent } from '../eventStore/eventStore.ts';
import type { SnapshotHead, SnapshotPlace, Snapshots } from '../readModels/snapshots.ts';
import { erasingTypes, firstAfter } from './erasures.ts';
import type { AnyReport } from './report.ts';
import { type Folded, unfolded } from './run.ts';

export type SavedState = {
  /** As of now. */
  readonly folded: Folded;
  /** Deletions up to there are in it. */
  readonly lookedUpTo: Position;
};

export type SavedStates = {
  /** Null when there is none that holds. */
  load(report: AnyReport): Promise<SavedState | null>;
  /** Nothing is folded on meanwhile. */
  save(state: SavedState): Promise<void>;
  forget(report: AnyReport): Promise<void>;
};

export type SavedStatesParts = {
  readonly store: Pick<EventStore, 'read'>;
  readonly snapshots: Pick<Snapshots, 'read' | 'write' | 'remove'>;
};

/** What stands before the state, in a line of its own. `last` is where the event is found that was folded last. */
type Head = Pick<Folded, 'position' | 'events' | 'unreadable' | 'newest'> & {
  readonly lookedUpTo: Position;
  readonly last: { readonly stream: string; readonly revision: string };
};

const nameOf = ({ name }: AnyReport): string => `report-${name}`;
/** Of what is folded up to now alone: a past moment is asked for once or twice. */
const placeOf = (report: AnyReport): SnapshotPlace => ({ name: nameOf(report), key: 'now' });

export function createSavedStates({ store, snapshots }: SavedStatesParts): SavedStates {
  return {
    async load(report) {
      const place = placeOf(report);
      const snapshot = report.version === undefined ? null : await snapshots.read(place);
      // That of another version is another program's, which may still run.
      if (!snapshot || snapshot.version !== report.version) return null;
      const { head, state } = stateIn(snapshot.state);
      const last = await eventAt(store, head.last);
      if (last?.position === snapshot.position && hashOf(last) === snapshot.hash) {
        const { position, events, unreadable, newest, lookedUpTo } = head;
        return { folded: { ...unfolded(report, null), state, position, events, unreadable, newest, last }, lookedUpTo };
      }
      // It would stand in the way of one that holds.
      await snapshots.remove(place);
      return null;
    },
    async save({ folded, lookedUpTo }) {
      const { report, state, position, events, unreadable, newest, last } = folded;
      if (report.version === undefined || last === null) return;
      const head: Head = { position, events, unreadable, newest, lookedUpTo, last: { stream: last.stream, revision: String(last.revision) } };
      const text = `${JSON.stringify(head)}\n${serialize(state).toString('base64')}`;
      await snapshots.write({ ...placeOf(report), version: report.version, position: last.position, hash: hashOf(last), state: text });
    },
    forget: (report) => snapshots.remove(placeOf(report)),
  };
}

/** The kinds of snapshots that these are: one stands until something is deleted after it that may be in it. */
export const savedKinds = (store: Pick<EventStore, 'readAll'>, reports: readonly AnyReport[]) =>
  reports.flatMap((report) => {
    const { version, types } = report;
    const stands = async ({ position }: SnapshotHead): Promise<boolean> => (await firstAfter(store, erasingTypes(types), position)).at === null;
    return version === undefined ? [] : [{ name: nameOf(report), version, stands }];
  });

/** Things that stand in a state twice are one thing again: a text would make two of them. */
function stateIn(text: string): { readonly head: Head; readonly state: unknown } {
  const end = text.indexOf('\n');
  return { head: JSON.parse(text.slice(0, end)) as Head, state: deserialize(Buffer.from(text.slice(end + 1), 'base64')) };
}

/** Null: it is gone. */
async function eventAt(store: Pick<EventStore, 'read'>, { stream, revision }: Head['last']): Promise<RecordedEvent | null> {
  const from = BigInt(revision);
  const read = await store.read(stream, { from, limit: 1 });
  const event = read.status === 'found' ? read.events[0] : undefined;
  return event?.revision === from ? event : null;
}

/**
 * Saves folded states of reports next to the read models, so that a restarted process only reads what has been added. A
 * saved state is valid if its version is the current one and the log still has its last folded event, unchanged. A
 * failure here only costs time.
 */
import { deserialize, serialize } from 'node:v8';
import { hashOf } from '../../eventStore/chain/eventHash.ts';
import type { EventStore, Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { FORMER_REPORT_NAMES } from '../../model/reports.ts';
import type { SnapshotHead, SnapshotPlace, Snapshots } from '../../readModels/snapshots.ts';
import { erasingTypes, firstAfter } from '../erasures.ts';
import type { AnyReport } from '../report.ts';
import { type Folded, unfolded } from '../run.ts';

export type SavedState = {
  /** Without a cutoff. */
  readonly folded: Folded;
  /** Deletions up to here are accounted for. */
  readonly lookedUpTo: Position;
};

export type SavedStates = {
  /** Null if there is no valid one. */
  load(report: AnyReport): Promise<SavedState | null>;
  /** Nothing may be folded in the meantime. */
  save(state: SavedState): Promise<void>;
  forget(report: AnyReport): Promise<void>;
};

export type SavedStatesParts = {
  readonly store: Pick<EventStore, 'read'>;
  readonly snapshots: Pick<Snapshots, 'read' | 'write' | 'remove'>;
};

/** The header line before the state. `last` locates the last folded event. */
type Head = Pick<Folded, 'position' | 'events' | 'unreadable' | 'newest'> & {
  readonly lookedUpTo: Position;
  readonly last: { readonly stream: string; readonly revision: string };
};

const nameOf = ({ name }: Pick<AnyReport, 'name'>): string => `report-${name}`;
/** Only reports up to now are saved: a past moment is requested once or twice. */
const placeOf = (report: AnyReport): SnapshotPlace => ({ name: nameOf(report), key: 'now' });

export function createSavedStates({ store, snapshots }: SavedStatesParts): SavedStates {
  return {
    async load(report) {
      const place = placeOf(report);
      const snapshot = report.version === undefined ? null : await snapshots.read(place);
      // Another version belongs to another release, which may still be running.
      if (!snapshot || snapshot.version !== report.version) return null;
      const { head, state } = stateIn(snapshot.state);
      const last = await eventAt(store, head.last);
      if (last?.position === snapshot.position && hashOf(last) === snapshot.hash) {
        const { position, events, unreadable, newest, lookedUpTo } = head;
        return { folded: { ...unfolded(report, null), state, position, events, unreadable, newest, last }, lookedUpTo };
      }
      // It would block a valid one.
      await snapshots.remove(place);
      return null;
    },
    async save({ folded, lookedUpTo }) {
      const { report, state, position, events, unreadable, newest, last } = folded;
      if (report.version === undefined || last === null) return;
      const head: Head = {
        position,
        events,
        unreadable,
        newest,
        lookedUpTo,
        last: { stream: last.stream, revision: String(last.revision) },
      };
      const text = `${JSON.stringify(head)}\n${serialize(state).toString('base64')}`;
      await snapshots.write({
        ...placeOf(report),
        version: report.version,
        position: last.position,
        hash: hashOf(last),
        state: text,
      });
    },
    forget: (report) => snapshots.remove(placeOf(report)),
  };
}

/**
 * The snapshot kinds of these reports: one is valid until something it may contain is deleted, under a former name
 * never.
 */
export function savedKinds(store: Pick<EventStore, 'readAll'>, reports: readonly AnyReport[]) {
  const current = reports.flatMap((report) => {
    const { version, types } = report;
    const stands = async ({ position }: SnapshotHead): Promise<boolean> =>
      (await firstAfter(store, erasingTypes(types), position)).at === null;
    return version === undefined ? [] : [{ name: nameOf(report), version, stands }];
  });
  const former = [...FORMER_REPORT_NAMES.keys()].map((name) => ({
    name: nameOf({ name }),
    version: 0,
    stands: async () => false,
  }));
  return [...current, ...former];
}

/** Restores shared references; JSON would duplicate such objects. */
function stateIn(text: string): { readonly head: Head; readonly state: unknown } {
  const end = text.indexOf('\n');
  return {
    head: JSON.parse(text.slice(0, end)) as Head,
    state: deserialize(Buffer.from(text.slice(end + 1), 'base64')),
  };
}

/** Null if it was erased. */
async function eventAt(
  store: Pick<EventStore, 'read'>,
  { stream, revision }: Head['last'],
): Promise<RecordedEvent | null> {
  const from = BigInt(revision);
  const read = await store.read(stream, { from, limit: 1 });
  const event = read.status === 'found' ? read.events[0] : undefined;
  return event?.revision === from ? event : null;
}

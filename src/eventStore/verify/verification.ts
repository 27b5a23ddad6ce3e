/**
 * The checks of the events of a log, one by one in order, and at its end. Its memory is bounded, however long the log
 * is.
 */
import { currentEvent, problemsOf } from '../../domain/stored/current.ts';
import { hashOf } from '../chain/eventHash.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../eventStore.ts';
import type { Pace } from '../pacing.ts';
import { type Fault, faultAt } from './fault.ts';
import { createIdSet } from './idSet.ts';
import { REFERENCE_CHECKS } from './references/all.ts';
import { compareWith, type IsErased, type Sealed } from './seals.ts';
import { halved, isTextIn, type Share } from './share.ts';
import { createStreamChains } from './streamChains.ts';
import type { Unsealed } from './unsealed.ts';

/** The product's rules for its own erasures. */
export type ErasureRules = {
  /** Whether an event may be the first remaining one of its stream. */
  readonly mayStandFirst: (event: RecordedEvent) => boolean;
  /** The streams that may have been permanently deleted when an event, upcast to the current format, was written. */
  readonly closes: (event: RecordedEvent) => readonly string[];
  /** Streams that are permanently deleted without an event that says so. */
  readonly isWorkingData: (stream: string) => boolean;
};

export type VerificationOptions = {
  /** As stored, without upcasts. */
  readonly store: EventStore;
  readonly erasure: ErasureRules;
  /** A checkpoint's view of the log; null: none to compare with. */
  readonly sealed: Sealed | null;
  /**
   * Exclusive; earlier events are not verified. References, ids and checkpoints concern the whole log and are left out.
   */
  readonly after?: Position;
  /**
   * Up to this many events all ids and references are remembered, beyond it every second one, and so on. Default:
   * always all.
   */
  readonly mostRemembered?: number;
  /** Number of the pass: selects the part. */
  readonly turn?: number;
  readonly onFault: (fault: Fault) => void;
};

export type Verification = {
  readonly take: (event: RecordedEvent) => Promise<void>;
  /**
   * An event processed by an earlier reading: its references are remembered, but it is not counted, and no fault is
   * reported again.
   */
  readonly recall: (event: RecordedEvent) => Promise<void>;
  /** Findings that show only at the end of the log. */
  readonly end: (pace: Pace) => Promise<Verified>;
  readonly counts: { readonly events: number; readonly faults: number };
};

export type Verified = {
  readonly events: number;
  readonly faults: number;
  /** Events that name their predecessor. */
  readonly chained: number;
  /** Position of the first of them: anything earlier is proven by a checkpoint alone. Null: there is none. */
  readonly chainedFrom: Position | null;
  /**
   * Written without a hash by an earlier version, next to a newer one: no damage, but what preceded each is proven by a
   * checkpoint alone.
   */
  readonly unsealed: Unsealed;
  /** Events that the checkpoint knows and that were erased since. */
  readonly erased: number;
};

export function beginVerification(options: VerificationOptions): Verification {
  const { store, erasure, sealed, after, onFault } = options;
  const isWhole = after === undefined;
  const memory = createMemory(isWhole, options);
  const chains = createStreamChains(store, { mayStandFirst: erasure.mayStandFirst });
  const comparison = sealed === null || !isWhole ? null : compareWith(sealed);
  const counts = { events: 0, faults: 0 };
  const last = { position: after ?? START, at: '' };
  let chainedFrom: Position | null = null;

  const reportFault = (fault: Fault): void => {
    counts.faults += 1;
    onFault(fault);
  };

  /** Remembers the event's id and references. */
  async function remember(event: RecordedEvent, current: RecordedEvent, found: (fault: Fault) => void): Promise<void> {
    const hash = hashOf(event);
    if (event.position <= last.position)
      found(faultAt(event, 'order', 'Its position is not behind that of the event before it in the log.'));
    if (!memory.isNew(event.id)) found(faultAt(event, 'ids', 'Another event of the log has the same id.'));
    for (const fault of await chains.take(event, hash)) found(fault);
    if (chains.counts.chained > 0) chainedFrom ??= event.position;
    for (const fault of comparison?.take(event, hash) ?? []) found(fault);
    if (comparison !== null)
      for (const stream of [...erasure.closes(current), ...Object.keys(current.metadata.erased ?? {})])
        comparison.close(stream);
    memory.take(current);
    last.position = current.position;
    last.at = current.metadata.at;
  }

  async function take(event: RecordedEvent): Promise<void> {
    const current = currentEvent(event);
    counts.events += 1;
    const shape = shapeOf(current);
    if (shape !== null) reportFault(shape);
    await remember(event, current, reportFault);
  }

  const recall = (event: RecordedEvent): Promise<void> => remember(event, currentEvent(event), () => undefined);

  const isErased: IsErased = async (stream, { isAllGone, isClosed }) => {
    const read = await store.read(stream, { limit: 1 });
    const first = read.status === 'found' ? read.events[0] : undefined;
    if (first !== undefined) return erasure.mayStandFirst(first);
    return isAllGone && read.status === 'deleted' && (isClosed || erasure.isWorkingData(stream));
  };

  return {
    counts,
    take,
    recall,
    async end(pace) {
      for (const fault of await chains.end((hash) => comparison?.mayKnow(hash) ?? false)) reportFault(fault);
      for (const fault of memory.end(last.at)) reportFault(fault);
      await comparison?.end({ isErased, pace, reportFault });
      return {
        ...counts,
        chained: chains.counts.chained,
        chainedFrom,
        unsealed: chains.unsealed(),
        erased: comparison?.erased() ?? 0,
      };
    },
  };
}

type MemoryOptions = Pick<VerificationOptions, 'mostRemembered' | 'turn'>;

/**
 * Ids and references, which any event of the log may share with any other: those of a part that shrinks as the log
 * grows.
 */
function createMemory(isWhole: boolean, { mostRemembered = Number.POSITIVE_INFINITY, turn = 0 }: MemoryOptions) {
  let share: Share = { parts: 1, turn };
  let met = 0;
  const ids = createIdSet();
  const references = isWhole ? REFERENCE_CHECKS.map((check) => check.begin((key) => isTextIn(share, key))) : [];
  return {
    isNew: (id: string): boolean => !isWhole || ids.add(id, share),
    take(current: RecordedEvent): void {
      for (const check of references) check.take(current);
      met += 1;
      if (met < mostRemembered * share.parts) return;
      share = halved(share);
      ids.keepOnly(share);
      for (const check of references) check.keepLess();
    },
    end: (at: string): readonly Fault[] => references.flatMap((check) => check.end(at)),
  };
}

function shapeOf(event: RecordedEvent): Fault | null {
  const problems =
    event.unreadable === undefined
      ? problemsOf(event)
      : [{ path: 'event', expected: `something readable: ${event.unreadable}` }];
  if (problems.length === 0) return null;
  return faultAt(event, 'shape', problems.map(({ path, expected }) => `${path} (expected: ${expected})`).join(', '));
}

/** What is asked of the events of a log, one after the other in its order, and at its end. What it remembers is bounded, however long the log is. */
import { currentEvent, problemsOf } from '../../domain/stored/current.ts';
import { hashOf } from '../chain/eventHash.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../eventStore.ts';
import { type Fault, faultAt } from './fault.ts';
import { createIdSet } from './idSet.ts';
import { REFERENCE_CHECKS } from './references/all.ts';
import { compareWith, type IsErased, type Sealed } from './seals.ts';
import { halved, isTextIn, type Share } from './share.ts';
import type { Slices } from './slices.ts';
import { createStreamChains } from './streamChains.ts';
import type { Unsealed } from './unsealed.ts';

/** What the product says of its own erasures. */
export type ErasureRules = {
  /** Whether an event may be the first that is left of its stream. */
  readonly mayStandFirst: (event: RecordedEvent) => boolean;
  /** The streams that may have been deleted for good when an event was written, which is in the shape of today. */
  readonly closes: (event: RecordedEvent) => readonly string[];
  /** Streams that are deleted for good without a fact of their own. */
  readonly isWorkingData: (stream: string) => boolean;
};

export type VerificationOptions = {
  /** As it is stored: without upcasts. */
  readonly store: EventStore;
  readonly erasure: ErasureRules;
  /** What a checkpoint knows of the log; null: nothing is held against one. */
  readonly sealed: Sealed | null;
  /** Exclusive; what is before it is not looked at. References, ids and checkpoints are of the whole log: they are left out. */
  readonly after?: Position;
  /** For so many events all ids and references are remembered, of more every second of them, and so on. Default: all of all. */
  readonly mostRemembered?: number;
  /** Of the pass: which part of them. */
  readonly turn?: number;
  readonly onFault: (fault: Fault) => void;
};

export type Verification = {
  readonly take: (event: RecordedEvent) => Promise<void>;
  /** An event that an earlier reading has taken: what it says of others is remembered, but it is not counted, and no fault is told again. */
  readonly recall: (event: RecordedEvent) => Promise<void>;
  /** What shows at the end of the log alone. */
  readonly end: (slices: Slices) => Promise<Verified>;
  readonly counts: { readonly events: number; readonly faults: number };
};

export type Verified = {
  readonly events: number;
  readonly faults: number;
  /** Events that name the one before them. */
  readonly chained: number;
  /** Of the first of them: what came before is proven by a checkpoint alone. Null: there is none. */
  readonly chainedFrom: Position | null;
  /** Written without a hash by an earlier version, beside a newer one: no damage, but what stood before each is proven by a checkpoint alone. */
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

  const tell = (fault: Fault): void => {
    counts.faults += 1;
    onFault(fault);
  };

  /** Among the others, and by what it says of them. */
  async function remember(event: RecordedEvent, current: RecordedEvent, found: (fault: Fault) => void): Promise<void> {
    const hash = hashOf(event);
    if (event.position <= last.position) found(faultAt(event, 'order', 'Its position is not behind that of the event before it in the log.'));
    if (!memory.isNew(event.id)) found(faultAt(event, 'ids', 'Another event of the log has the same id.'));
    for (const fault of await chains.take(event, hash)) found(fault);
    if (chains.counts.chained > 0) chainedFrom ??= event.position;
    for (const fault of comparison?.take(event, hash) ?? []) found(fault);
    if (comparison !== null) for (const stream of [...erasure.closes(current), ...Object.keys(current.metadata.erased ?? {})]) comparison.close(stream);
    memory.take(current);
    last.position = current.position;
    last.at = current.metadata.at;
  }

  async function take(event: RecordedEvent): Promise<void> {
    const current = currentEvent(event);
    counts.events += 1;
    const shape = shapeOf(current);
    if (shape !== null) tell(shape);
    await remember(event, current, tell);
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
    async end(slices) {
      for (const fault of await chains.end((hash) => comparison?.mayKnow(hash) ?? false)) tell(fault);
      for (const fault of memory.end(last.at)) tell(fault);
      await comparison?.end({ isErased, slices, tell });
      return { ...counts, chained: chains.counts.chained, chainedFrom, unsealed: chains.unsealed(), erased: comparison?.erased() ?? 0 };
    },
  };
}

type MemoryOptions = Pick<VerificationOptions, 'mostRemembered' | 'turn'>;

/** Ids and references, which any event of the log may share with any other: those of a part that becomes smaller as the log grows. */
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
  const problems = event.unreadable === undefined ? problemsOf(event) : [{ path: 'event', expected: `something readable: ${event.unreadable}` }];
  if (problems.length === 0) return null;
  return faultAt(event, 'shape', problems.map(({ path, expected }) => `${path} (expected: ${expected})`).join(', '));
}

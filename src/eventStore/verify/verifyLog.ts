/** Reads the whole log as it is stored and says what is wrong with it, and where. */
import { currentEvent, problemsOf } from '../../domain/stored/current.ts';
import { hashOf } from '../chain/eventHash.ts';
import { type EventStore, type Position, type RecordedEvent, START } from '../eventStore.ts';
import { type Fault, faultAt } from './fault.ts';
import { createIdSet } from './idSet.ts';
import { REFERENCE_CHECKS } from './references/all.ts';
import { compareWith, type Sealed } from './seals.ts';
import { createStreamChains } from './streamChains.ts';

/** What the product says of its own erasures. */
export type ErasureRules = {
  /** Whether an event may be the first that is left of its stream. */
  readonly mayStandFirst: (event: RecordedEvent) => boolean;
  /** The streams that may have been deleted for good when an event was written, which is in the shape of today. */
  readonly closes: (event: RecordedEvent) => readonly string[];
  /** Streams that are deleted for good without a fact of their own. */
  readonly isWorkingData: (stream: string) => boolean;
};

export type VerifyOptions = {
  /** As it is stored: without upcasts. */
  readonly store: EventStore;
  readonly erasure: ErasureRules;
  /** What a checkpoint knows of the log; null: nothing is held against one. */
  readonly sealed?: Sealed | null;
  /** Exclusive; what is before it was verified. References, ids and checkpoints are of the whole log: they are left out. */
  readonly after?: Position;
  /** Some event before `after` names the one before it, so all behind it do. */
  readonly isChained?: boolean;
  /** Stops after about so many events. */
  readonly most?: number;
  readonly onFault: (fault: Fault) => void;
  /** After each page. */
  readonly onProgress?: (progress: { readonly events: number; readonly position: Position }) => void;
  readonly signal?: AbortSignal;
};

export type Verified = {
  readonly events: number;
  /** Up to where the log was read, and whether nothing was left. */
  readonly position: Position;
  readonly end: boolean;
  readonly faults: number;
  /** Events that name the one before them. */
  readonly chained: number;
  /** Of the first of them: what came before is proven by a checkpoint alone. Null: there is none. */
  readonly chainedFrom: Position | null;
  /** Events that the checkpoint knows and that were erased since. */
  readonly erased: number;
};

const PAGE = 500;

/** @throws the signal's reason; what the store throws */
export async function verifyLog(options: VerifyOptions): Promise<Verified> {
  const { store, most = Number.POSITIVE_INFINITY, onProgress, signal } = options;
  const verifying = begin(options);
  for (let after = options.after ?? START; ; ) {
    signal?.throwIfAborted();
    const page = await store.readAll({ after, limit: PAGE });
    for (const event of page.events) await verifying.take(event);
    after = page.next;
    onProgress?.({ events: verifying.counts.events, position: after });
    if (page.end || verifying.counts.events >= most) return verifying.end(after, page.end);
    // The embedded store answers without ever leaving the current turn.
    await new Promise(setImmediate);
  }
}

function begin({ store, erasure, sealed = null, after, isChained = false, most, onFault }: VerifyOptions) {
  const isWhole = after === undefined && most === undefined;
  const chains = createStreamChains(store, { mayStandFirst: erasure.mayStandFirst, isChained });
  const ids = createIdSet();
  const references = isWhole ? REFERENCE_CHECKS.map((check) => check.begin()) : [];
  const comparison = sealed === null || !isWhole ? null : compareWith(sealed);
  const closed = new Set<string>();
  const counts = { events: 0, faults: 0 };
  const last = { position: after ?? START, at: '' };
  let chainedFrom: Position | null = null;

  const tell = (fault: Fault | null): void => {
    if (fault === null) return;
    counts.faults += 1;
    onFault(fault);
  };

  async function take(event: RecordedEvent): Promise<void> {
    const hash = hashOf(event);
    const current = currentEvent(event);
    counts.events += 1;
    tell(shapeOf(current));
    if (event.position <= last.position) tell(faultAt(event, 'order', 'Its position is not behind that of the event before it in the log.'));
    if (isWhole && !ids.add(event.id)) tell(faultAt(event, 'ids', 'Another event of the log has the same id.'));
    tell(await chains.take(event, hash));
    if (chainedFrom === null && chains.counts.chained > 0) chainedFrom = event.position;
    for (const check of references) check.take(current);
    for (const fault of comparison?.take(event, hash) ?? []) tell(fault);
    if (comparison !== null) for (const stream of [...erasure.closes(current), ...Object.keys(event.metadata.erased ?? {})]) closed.add(stream);
    last.position = event.position;
    last.at = current.metadata.at;
  }

  async function isErased(stream: string, isAllGone: boolean): Promise<boolean> {
    const read = await store.read(stream, { limit: 1 });
    const first = read.status === 'found' ? read.events[0] : undefined;
    if (first !== undefined) return erasure.mayStandFirst(first);
    return isAllGone && read.status === 'deleted' && (closed.has(stream) || erasure.isWorkingData(stream));
  }

  return {
    counts,
    take,
    async end(position: Position, end: boolean): Promise<Verified> {
      for (const check of references) for (const fault of check.end(last.at)) tell(fault);
      for (const fault of (await comparison?.end(isErased)) ?? []) tell(fault);
      return { ...counts, position, end, chained: chains.counts.chained, chainedFrom, erased: comparison?.erased() ?? 0 };
    },
  };
}

function shapeOf(event: RecordedEvent): Fault | null {
  const problems = event.unreadable === undefined ? problemsOf(event) : [{ path: 'event', expected: `something readable: ${event.unreadable}` }];
  if (problems.length === 0) return null;
  return faultAt(event, 'shape', problems.map(({ path, expected }) => `${path} (expected: ${expected})`).join(', '));
}

/** One page of a stream's history: matching events, each with what it changed. Reads and folds only what that needs. */

import type { EventStore, ReadOptions, RecordedEvent, Revision, StreamRead } from '../eventStore/eventStore.ts';
import { createPace } from '../eventStore/pacing.ts';
import type { Folded } from './folded.ts';
import { type HistoryStep, history } from './history.ts';
import { KEPT_EVERY, keptFoldsOf } from './keptFolds.ts';
import { type StreamKind, secretFields } from './streams.ts';

export type HistoryFilter = {
  readonly types?: readonly string[] | undefined;
  /** Matches any of these, as an actor id or kind. */
  readonly actors?: readonly string[] | undefined;
  /** UTC ISO; `from` inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** `from`: the first revision to examine, inclusive; null for the end of the stream where the direction starts. */
export type HistoryPlace = { readonly direction: 'forward' | 'backward'; readonly from: Revision | null };

export type HistoryPage =
  | { readonly status: 'missing' | 'deleted' }
  | {
      readonly status: 'found';
      /** First revision of the stream; anything before it has been erased. */
      readonly first: Revision;
      readonly last: Revision;
      readonly firstEvent: RecordedEvent;
      /** In stream order. */
      readonly steps: readonly HistoryStep[];
      /** Range of revisions examined; null if there were none. */
      readonly seen: { readonly from: Revision; readonly to: Revision } | null;
    };

/** `signal`: aborts when the client is gone, so a long stream is not read for nothing. */
type Subject = {
  readonly store: EventStore;
  readonly stream: string;
  readonly kind: StreamKind;
  readonly signal?: AbortSignal;
};

/** Maximum number of events examined per page; the next page continues. */
const MOST_SEEN = 5_000;
const AT_ONCE = 500;
/** For large events. */
const FEW = 20;

/** Whether an event passes the filter. */
export function matches({ type, metadata }: RecordedEvent, { types, actors, from, to }: HistoryFilter): boolean {
  const { actor, at } = metadata;
  if (types && !types.includes(type)) return false;
  if (actors && ![actor.kind, actor.id, actor.onBehalfOf].some((each) => each !== undefined && actors.includes(each)))
    return false;
  return (from === undefined || at >= from) && (to === undefined || at < to);
}

/** @throws the signal's reason, or whatever the store throws */
export async function readHistory(
  subject: Subject,
  page: { readonly place: HistoryPlace; readonly filter: HistoryFilter; readonly limit: number },
): Promise<HistoryPage> {
  const { store, stream } = subject;
  const begin = await store.read(stream, { limit: 1 });
  const firstEvent = begin.status === 'found' ? begin.events[0] : undefined;
  if (begin.status !== 'found' || !firstEvent) {
    keptFoldsOf(store).forget(stream);
    return { status: begin.status === 'deleted' ? 'deleted' : 'missing' };
  }
  const { revision: first } = firstEvent;
  const { events, last } = await collect(subject, { first, last: begin.revision }, page);
  const shown = events.filter((event) => matches(event, page.filter));
  const from = shown[0]?.revision;
  const seen = events[0] && { from: events[0].revision, to: events.at(-1)?.revision ?? events[0].revision };
  const head = { status: 'found' as const, first, last, firstEvent, seen: seen ?? null };
  if (from === undefined) return { ...head, steps: [] };
  const start = await stateBefore(subject, first, from);
  const wanted = new Set(shown.map(({ revision }) => revision));
  const steps = [
    ...history(
      start,
      events.filter(({ revision }) => revision >= from),
      secretFields(subject.kind),
    ),
  ];
  return { ...head, steps: steps.filter(({ event }) => wanted.has(event.revision)) };
}

/** Clamped, since stores treat a missing revision differently. */
const within = (from: Revision | null, { first, last }: Range, isForward: boolean): Revision | null => {
  if (from === null) return null;
  return isForward ? (from < first ? first : from) : from > last ? last : from;
};

type Range = { readonly first: Revision; readonly last: Revision };

/**
 * Reads until enough events match; returns them in stream order without gaps. `last`: last revision of the stream at
 * the latest read.
 */
async function collect(
  { store, stream, kind, signal }: Subject,
  { first, last }: Range,
  { place, filter, limit }: Parameters<typeof readHistory>[1],
): Promise<{ readonly events: readonly RecordedEvent[]; readonly last: Revision }> {
  const { direction } = place;
  const isForward = direction === 'forward';
  const most = kind.isBulky ? FEW : MOST_SEEN;
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  const events: RecordedEvent[] = [];
  const pace = createPace('request');
  let newest = last;
  let found = 0;
  let from = within(place.from, { first, last }, isForward);
  while (found < limit && events.length < most && (from === null || (from >= first && from <= newest))) {
    signal?.throwIfAborted();
    const size = Math.min(isFiltered ? AT_ONCE : limit - found, most - events.length);
    const read: StreamRead = await store.read(stream, { direction, limit: size, ...(from === null ? {} : { from }) });
    if (read.status !== 'found' || read.events.length === 0) break;
    newest = read.revision;
    for (const event of read.events) {
      if (found >= limit) break;
      events.push(event);
      if (matches(event, filter)) found += 1;
    }
    const reached: Revision = read.events.at(-1)?.revision ?? first;
    from = isForward ? reached + 1n : reached - 1n;
    if (isForward ? reached >= newest : reached <= first) break;
    await pace.pass();
  }
  return { events: isForward ? events : events.toReversed(), last: newest };
}

/** The state after all events before that revision; an empty state for streams without states. */
async function stateBefore(subject: Subject, first: Revision, revision: Revision): Promise<Folded> {
  const { store, stream, kind } = subject;
  const folds = keptFoldsOf(store);
  const initial = kind.initial ?? NOTHING;
  if (!kind.initial) return initial;
  const kept = folds.before(stream, first, revision);
  let state = kept?.state ?? initial;
  for await (const event of eventsFrom(subject, kept?.next ?? first)) {
    if (event.revision >= revision) break;
    state = state.after(event);
    const next = event.revision + 1n;
    if (!kind.isBulky && (next - first) % BigInt(KEPT_EVERY) === 0n) folds.keep(stream, first, { next, state });
  }
  return state;
}

const NOTHING: Folded = { after: () => NOTHING, shown: () => null };

/** All events of a stream from a revision on, read in chunks that fit in memory. */
export async function* eventsFrom(
  {
    store,
    stream,
    kind,
    signal,
  }: Pick<Subject, 'store' | 'stream' | 'signal'> & {
    readonly kind: Pick<StreamKind, 'isBulky'>;
  },
  from: Revision,
  options: Pick<ReadOptions, 'limit'> = {},
): AsyncGenerator<RecordedEvent> {
  const pace = createPace('request');
  const limit = options.limit ?? (kind.isBulky ? FEW : AT_ONCE);
  for (let next = from; ; ) {
    signal?.throwIfAborted();
    const read = await store.read(stream, { from: next, limit });
    if (read.status !== 'found' || read.events.length === 0) return;
    yield* read.events;
    const last = read.events.at(-1)?.revision ?? read.revision;
    if (last >= read.revision) return;
    next = last + 1n;
    await pace.pass();
  }
}

/** Every step that passes the filter, from the start. */
export async function* wholeHistory(subject: Subject, filter: HistoryFilter): AsyncGenerator<HistoryStep> {
  let before = subject.kind.initial ?? NOTHING;
  const secret = secretFields(subject.kind);
  const pace = createPace('request');
  for await (const event of eventsFrom(subject, 0n)) {
    await pace.pass();
    const [step] = [...history(before, [event], secret)];
    if (!step) continue;
    if (matches(event, filter)) yield step;
    before = step.after;
  }
}

/** One event with the states around it, or the last event if `revision` is null. Null if there is none. */
export async function readStep(subject: Subject, revision: Revision | null): Promise<HistoryStep | null> {
  const place = { direction: revision === null ? 'backward' : 'forward', from: revision } as const;
  const page = await readHistory(subject, { place, filter: {}, limit: 1 });
  const [step] = page.status === 'found' ? page.steps : [];
  return step && (revision === null || step.event.revision === revision) ? step : null;
}

/**
 * How long due work waited beside a free place, from the log alone: which work is due or claimed follows from the times
 * at which its events were written; when processes were up is known from outside. For a single process that does all
 * the work.
 */
import type { Arrival } from './outsideWorld.ts';
import { type Kind, stepsOf } from './workFold.ts';
import type { WorkEvent } from './workLog.ts';

/** A period in which the process was up and not paused, ms. Between two of them it was down or paused. */
export type Calm = {
  readonly from: number;
  readonly to: number;
  readonly ends: 'killed' | 'paused';
  /** Items during which several processes crashed before: nothing else is started beside one of them. */
  readonly alone: ReadonlySet<string>;
};

export type Idle = {
  readonly ms: number;
  readonly kind: Kind;
  readonly lane: string;
  readonly from: number;
  /** Who was there meanwhile with what in hand, at each change, where that was seen. */
  readonly beside?: readonly string[];
};

export type FreePlaces = {
  /** The longest waits, longest first. */
  readonly longest: readonly Idle[];
  /** The checked time, ms: without times in which an item had to run alone. */
  readonly judgedMs: number;
};

/**
 * Items claimed at once: in the process, and per lane. `kept`: those of the process that only an idle lane may use that
 * has begun nothing since 00:00 UTC.
 */
export type Places = Readonly<
  Record<'audit' | 'mail' | 'webhook', { readonly all: number; readonly ofLane: number; readonly kept?: number }>
>;

/** An interrupted delivery is retried after this, ms. */
const TRY_LEASE_MS = 60_000;
/** The longest delay of a mail after a failed attempt, ms; the product's back-off is random up to that. */
const putOffMs = (failures: number): number => 2_000 * 2 ** Math.max(0, failures - 1);
const KEPT = 10;

type Item = {
  readonly kind: Kind;
  readonly id: string;
  readonly lane: string;
  dueAt: number;
  running: boolean;
  failures: number;
};

type Change = { readonly at: number; readonly apply: (state: State) => void };

type State = {
  readonly items: Map<string, Item>;
  /** Lanes that have begun an item, by kind and day. */
  readonly had: Set<string>;
  alone: Set<string>;
  taken: Set<Kind>;
};

const hadKey = (kind: string, lane: string, at: number): string =>
  `${kind} ${lane} ${new Date(at).toISOString().slice(0, 10)}`;

const BEGINNINGS: Readonly<Record<string, { readonly kind: Kind; readonly id: string }>> = {
  JobStarted: { kind: 'audit', id: 'jobId' },
  MailPrepared: { kind: 'mail', id: 'mailId' },
  WebhookTryStarted: { kind: 'webhook', id: 'deliveryId' },
};

function changesOf(log: readonly WorkEvent[], mails: readonly Arrival[], calm: readonly Calm[]): readonly Change[] {
  const batched = new Set(
    log.flatMap(({ type, data }) =>
      type === 'JobSubmitted' && data.batchId !== undefined ? [String(data.jobId)] : [],
    ),
  );
  const changes: Change[] = log.map((event) => ({ at: event.at, apply: (state) => applyEvent(state, event, batched) }));
  for (const { id, at, answered } of mails)
    if (!answered) changes.push({ at, apply: ({ items }) => breakOffMail(items.get(`mail/${id}`), at) });
  for (const { to, ends } of calm) if (ends === 'killed') changes.push({ at: to, apply: breakOffAll });
  // Sorting is stable: events with the same time stay in log order.
  return changes.sort((a, b) => a.at - b.at);
}

function applyEvent({ items, had, alone, taken }: State, event: WorkEvent, batched: ReadonlySet<string>): void {
  // The time to find that out is not recorded anywhere, but it took a place.
  if (event.type === 'MailDropped') taken.add('mail');

  for (const step of stepsOf(event)) {
    const key = `${step.kind}/${step.id}`;
    const item = items.get(key);
    if (step.step !== 'pending') alone.delete(key);
    if (step.step === 'over') items.delete(key);
    // Whether the mail of a batch is due depends on the rest of the batch; parked items are rare.
    else if (step.kind === 'followUp' || (step.kind === 'mail' && batched.has(String(event.data.jobId)))) continue;
    else if (step.step === 'pending')
      items.set(key, { kind: step.kind, id: step.id, lane: step.lane, dueAt: event.at, running: false, failures: 0 });
    else if (item) Object.assign(item, { running: false, dueAt: step.until });
  }
  const beginning = BEGINNINGS[event.type];
  if (!beginning) return;
  const id = String(event.data[beginning.id]);
  const key = `${beginning.kind}/${id}`;
  const lane = String(event.data.userId ?? id);
  had.add(hadKey(beginning.kind, items.get(key)?.lane ?? lane, event.at));
  items.set(key, {
    ...(items.get(key) ?? { kind: beginning.kind, id, lane, failures: 0 }),
    dueAt: event.at,
    running: true,
  });
}

function breakOffMail(item: Item | undefined, at: number): void {
  if (!item) return;
  item.failures += 1;
  Object.assign(item, { running: false, dueAt: at + putOffMs(item.failures) });
}

function breakOffAll({ items }: State): void {
  for (const item of items.values()) {
    if (!item.running) continue;
    item.running = false;
    if (item.kind === 'webhook') item.dueAt += TRY_LEASE_MS;
  }
}

/** Lanes with due work and a place for it, or null while an item must run alone. */
function waitingLanes(
  { items, had, alone }: State,
  at: number,
  places: Places,
): ReadonlyMap<string, { readonly kind: Kind; readonly lane: string }> | null {
  const running = new Map<string, number>();
  const due = new Map<string, { readonly kind: Kind; readonly lane: string }>();
  const add = (key: string): void => void running.set(key, (running.get(key) ?? 0) + 1);
  for (const [itemKey, { kind, lane, dueAt, running: isRunning }] of items) {
    if (alone.has(itemKey) && dueAt <= at) return null;
    if (isRunning) {
      add(kind);
      add(`${kind} ${lane}`);
    } else if (dueAt <= at) due.set(`${kind} ${lane}`, { kind, lane });
  }
  for (const [key, { kind, lane }] of due) {
    const { all, ofLane, kept = 0 } = places[kind as keyof Places];
    const [inHand, ofThisLane] = [running.get(kind) ?? 0, running.get(key) ?? 0];
    const isForAll = inHand < all - kept;
    const isForNobody = inHand >= all || (!isForAll && had.has(hadKey(kind, lane, at)));
    if (isForNobody || ofThisLane >= (isForAll ? ofLane : 1)) due.delete(key);
  }
  return due;
}

/** For jobs whose streams were erased unseen, only their existence is known. */
function blindSpots(log: readonly WorkEvent[]): readonly { readonly from: number; readonly to: number }[] {
  const seen = new Set(log.flatMap(({ type, data }) => (type === 'JobSubmitted' ? [data.jobId] : [])));
  const settled = new Map(
    log.flatMap(({ type, data, at }) =>
      type === 'AnalysisConsumed' || type === 'AnalysisReleased' ? [[data.jobId, at] as const] : [],
    ),
  );
  return log.flatMap(({ type, data, at }) =>
    type === 'AnalysisReserved' && !seen.has(data.jobId)
      ? [{ from: at, to: settled.get(data.jobId) ?? Number.POSITIVE_INFINITY }]
      : [],
  );
}

/** `log`: including erased events. */
export function freePlaces(
  log: readonly WorkEvent[],
  mails: readonly Arrival[],
  calm: readonly Calm[],
  places: Places,
): FreePlaces {
  const changes = changesOf(log, mails, calm);
  const blind = blindSpots(log);
  const state: State = { items: new Map(), had: new Set(), alone: new Set(), taken: new Set() };
  const longest: Idle[] = [];
  let judgedMs = 0;
  let next = 0;
  for (const { from, to, alone } of calm) {
    state.alone = new Set(alone);
    const since = new Map<string, Idle>();
    const close = (key: string, at: number): void => {
      const idle = since.get(key);
      since.delete(key);
      if (!idle) return;
      longest.push({ ...idle, ms: at - idle.from });
      longest.sort((a, b) => b.ms - a.ms);
      longest.splice(KEPT);
    };
    for (; (changes[next]?.at ?? to) < from; next += 1) changes[next]?.apply(state);
    for (let at = from; at < to; ) {
      const waiting = blind.some((spot) => spot.from <= at && at <= spot.to) ? null : waitingLanes(state, at, places);
      const upTo = Math.min(
        to,
        changes[next]?.at ?? to,
        ...[...state.items.values()].flatMap(({ dueAt }) => (dueAt > at ? [dueAt] : [])),
      );
      for (const [key, { kind }] of since) if (!waiting?.has(key) || state.taken.has(kind)) close(key, at);
      state.taken.clear();
      for (const [key, { kind, lane }] of waiting ?? [])
        if (!since.has(key)) since.set(key, { ms: 0, kind, lane, from: at });
      if (waiting) judgedMs += upTo - at;
      for (; (changes[next]?.at ?? to) <= upTo && next < changes.length && upTo < to; next += 1)
        changes[next]?.apply(state);
      at = upTo;
    }
    for (const key of [...since.keys()]) close(key, to);
  }
  return { longest, judgedMs };
}

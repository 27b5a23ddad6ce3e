/**
 * The worker side of one process: takes what is due and whose turn it is, while there is a place. Woken by the changes of the list of items, by the
 * next time at which something becomes due, and by places that become free.
 */
import { setMaxListeners } from 'node:events';
import { type Alarm, firstOf, systemAlarm } from '../eventStore/bell.ts';
import type { Claims } from '../readModels/claims.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { createDesk, type Desk, followItems, forgetSettled } from './desk.ts';
import { createGate } from './gate.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { createPerformer, type Performer, type WorkLog } from './performer.ts';
import { pick } from './pick.ts';

export type RunnerDeps = {
  readonly kinds: readonly WorkKind[];
  readonly readModels: ReadModels;
  readonly claims: Claims;
  /** Names this run in claims. */
  readonly holder: string;
  /** False as soon as others may take what this run holds. */
  readonly held: () => boolean;
  /** Takes nothing new, breaks off what runs and gives it back. */
  readonly signal: AbortSignal;
  /** UTC ISO. */
  readonly now: () => string;
  readonly alarm?: Alarm;
  readonly log: WorkLog;
};

/** What one kind does in this process. */
export type KindState = {
  readonly kind: string;
  readonly running: number;
  readonly places: number;
  /** Since the start of this run. */
  readonly tries: number;
  readonly failed: number;
  readonly givenUp: number;
  /** A place that any lane may take has been free since then (UTC ISO); null: there is none. */
  readonly freeSince: string | null;
};

export type Runner = {
  state(): readonly KindState[];
  /** The log says that the item is over: whoever works on it here stops. */
  interrupt(kind: string, itemId: string, why: string): void;
  /** Something may be due or free: look again. */
  wake(): void;
  /** Resolves when the signal has aborted and everything was given back. Never rejects. */
  readonly done: Promise<void>;
};

/** Until a lane whose items are all in other hands is looked at again, and until a watch that broke off is begun anew, ms. */
const LOOK_AGAIN_MS = 1_000;
/** Claims of settled items are forgotten so often, ms. */
const FORGET_MS = 5_000;

export function runWork(deps: RunnerDeps): Runner {
  const { kinds, signal, log, alarm = systemAlarm } = deps;
  setMaxListeners(0, signal);
  const desks = new Map(kinds.map((kind) => [kind.rule.kind, createDesk(kind, deps.now())]));
  const gate = createGate();
  const performer = createPerformer({ ...deps, gate });
  const later = (ms: number): string => new Date(Date.parse(deps.now()) + ms).toISOString();
  const wake = (): void => {
    for (const desk of desks.values()) desk.ring();
  };

  /** Takes what there is room for; answers when to look again, null: when woken. */
  async function fill(desk: Desk): Promise<string | null> {
    const { kind, lanes } = desk;
    // While somebody has to be alone in this process there is no place for others.
    if (gate.isClosed()) desk.freeSince = null;
    else if (desk.running < openPlaces(kind)) desk.freeSince ??= deps.now();
    const running = new Map(await deps.claims.running(kind.rule.kind));
    while (!signal.aborted && deps.held() && desk.running < kind.parallel && !gate.isClosed()) {
      const now = deps.now();
      // Of a kept place the limit is one: only a lane with nothing in hand is below it.
      const limit = desk.running < openPlaces(kind) ? kind.parallelOfLane : 1;
      const lane = lanes.next(now, running, limit);
      if (lane === null) {
        const next = lanes.nextDueAt();
        // What is due waits for a place of its own lane. When another process lets go of one, nobody tells.
        return next !== null && next <= now ? later(LOOK_AGAIN_MS) : next;
      }
      const offers = lanes.offers();
      const found = await pick(deps, { kind: kind.rule.kind, lane, now, lookAgainAt: later(LOOK_AGAIN_MS) });
      if (!found.item) {
        lanes.correct(lane, found.nextAt === null ? null : { dueAt: found.nextAt, rank: 0 }, offers);
        continue;
      }
      // What it waited longest with may be done by now: then it may be another's turn.
      const { dueAt, rank } = found.item;
      if (lanes.correct(lane, { dueAt, rank }, offers) && lanes.next(now, running, limit) !== lane) continue;
      const claim = await deps.claims.take({ item: { ...found.item }, seen: found.claim, holder: deps.holder, laneLimit: limit });
      if (claim === 'taken' || claim === 'lane_full') {
        lanes.correct(lane, { dueAt: later(LOOK_AGAIN_MS), rank }, offers);
        continue;
      }
      running.set(lane, (running.get(lane) ?? 0) + 1);
      begin(desk, performer, found.item, claim);
    }
    return null;
  }

  function begin(desk: Desk, { perform }: Performer, item: WorkItem, claim: Parameters<Performer['perform']>[2]): void {
    desk.running += 1;
    desk.tries += 1;
    if (desk.running >= openPlaces(desk.kind)) desk.freeSince = null;
    void perform(desk.kind, item, claim).then((result) => {
      desk.running -= 1;
      if (desk.running < openPlaces(desk.kind)) desk.freeSince ??= deps.now();
      desk.hasSettled = true;
      if (result === 'failed') desk.failed += 1;
      if (result === 'given_up') desk.givenUp += 1;
      // What is put off is looked at when it is due; the rest of its lane may go on at once.
      desk.lanes.offer(item.lane, { dueAt: deps.now(), rank: item.rank });
      // A place of this process is free, and with it perhaps the way for who has to be alone.
      wake();
    });
  }

  async function keepFilling(desk: Desk): Promise<void> {
    while (!signal.aborted) {
      let at: string | null;
      desk.hasNews = false;
      try {
        at = await fill(desk);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error, kind: desk.kind.rule.kind }, 'the list of work could not be read; it is tried again');
        at = later(LOOK_AGAIN_MS);
      }
      const ms = at === null ? null : Math.max(0, Date.parse(at) - Date.parse(deps.now()));
      if (desk.hasNews) continue;
      await firstOf([desk.heard, ...(ms === null ? [] : [(ring: () => void) => alarm(ms, ring)])], signal);
    }
  }

  /** Over and over, with a pause, until the signal aborts. */
  async function repeat(ms: number, what: string, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, `${what}; it is tried again`);
      });
      await firstOf([(ring) => alarm(ms, ring)], signal);
    }
  }

  const loops = Promise.all([
    repeat(LOOK_AGAIN_MS, 'the list of work could not be followed', () => followItems(deps.readModels, desks, signal)),
    repeat(FORGET_MS, 'settled claims could not be removed', () => forgetSettled(deps, desks)),
    ...[...desks.values()].map(keepFilling),
  ]);
  return {
    state: () =>
      [...desks.values()].map(({ kind, running, tries, failed, givenUp, freeSince }) => ({
        ...{ kind: kind.rule.kind, running, places: kind.parallel, tries, failed, givenUp, freeSince },
      })),
    interrupt: performer.interrupt,
    wake,
    done: loops.then(() => performer.idle()),
  };
}

/** Places for whoever's turn it is. */
const openPlaces = ({ parallel, keptForIdle = 0 }: WorkKind): number => parallel - keptForIdle;

/**
 * The worker side of one process: takes due items, while there is a free slot (`fill.ts`), in the order of
 * `nextItem.ts`. Woken by changes of the list of items, by the next time an item becomes due, and by slots that become free.
 */
import { setMaxListeners } from 'node:events';
import { firstOf, systemTimer, type Timer } from '../eventStore/notifier.ts';
import type { Claim } from '../readModels/claims.ts';
import { createFill, type FillDeps, networkLimit, RETRY_MS, retryAt } from './fill.ts';
import type { WorkItem, WorkKind } from './kind.ts';
import { createKindQueue, followItems, forgetSettled, type KindQueue } from './kindQueue.ts';
import { createOutage } from './outage.ts';
import { createPerformer, type WorkLog } from './performer.ts';
import { createReadWriteLock } from './readWriteLock.ts';
import { stateOf } from './waiting.ts';

export type RunnerDeps = Omit<FillDeps, 'isAlone' | 'closedUntil' | 'begin'> & {
  readonly kinds: readonly WorkKind[];
  readonly timer?: Timer;
  readonly log: WorkLog;
};

/** The state of one kind in this process. */
export type KindState = {
  readonly kind: string;
  readonly running: number;
  readonly places: number;
  /** Since the start of this run. */
  readonly tries: number;
  readonly failed: number;
  readonly givenUp: number;
  /** Since when a slot open to any lane has been free (UTC ISO); null: there is none. */
  readonly freeSince: string | null;
  /** The same for a slot reserved for lanes that have had none today. */
  readonly idleFreeSince: string | null;
  /** Lanes that had one today get no reserved slot; networks at their limit get none at all. */
  readonly hadToday: ReadonlySet<string>;
  readonly fullNetworks: ReadonlySet<string>;
};

export type Runner = {
  state(): readonly KindState[];
  /** The log says that the item is over: interrupts anyone working on it in this process. */
  interrupt(kind: string, itemId: string, why: string): void;
  /** Something may be due or free: check again. */
  notifyAll(): void;
  /** Resolves when the signal has aborted and everything was returned. Never rejects. */
  readonly done: Promise<void>;
};

/** Interval for removing the claims of settled items, ms. */
const FORGET_MS = 5_000;

export function runWork(deps: RunnerDeps): Runner {
  const { kinds, signal, log, timer = systemTimer } = deps;
  setMaxListeners(0, signal);
  const queues = new Map(kinds.map((kind) => [kind.rule.kind, createKindQueue(kind, deps.now())]));
  const performer = createPerformer({ ...deps, lock: createReadWriteLock() });
  const outage = createOutage(deps.now);
  const { fill, isSlotWanted } = createFill({
    ...deps,
    isAlone: performer.isAlone,
    closedUntil: outage.closedUntil,
    begin,
  });
  const notifyAll = (): void => {
    for (const queue of queues.values()) queue.notify();
  };

  function begin(queue: KindQueue, item: WorkItem, claim: Claim): Promise<void> {
    queue.running += 1;
    queue.tries += 1;
    queue.listed.add(item.itemId);
    countNetwork(queue, item, 1);
    outage.noteBegin();
    const noteSlots = (): void => queue.notePlaces(deps.now(), performer.isAlone() || outage.closedUntil() !== null);
    const done = performer.perform(queue.kind, item, claim, () => isSlotWanted(queue, item));
    noteSlots();
    return done.then((result) => {
      queue.running -= 1;
      countNetwork(queue, item, -1);
      outage.noteEnd(result);
      noteSlots();
      queue.hasSettled = true;
      if (result === 'failed' || result === 'unavailable') queue.failed += 1;
      if (result === 'given_up') queue.givenUp += 1;
      // A deferred item is checked when it is due. Of a settled one nothing is left, and when the rest of its lane is
      // due is known since it was taken.
      if (result === 'settled') checkUnlisted(queue, item);
      else {
        queue.listed.delete(item.itemId);
        queue.waiting.offer(item.lane, { ...stateOf(item), dueAt: deps.now() });
      }
      // A slot of this process is free, which may also unblock an item that has to run alone.
      notifyAll();
    });
  }

  /** No event may have closed it, or its notification was missed. */
  function checkUnlisted(queue: KindQueue, item: WorkItem): void {
    timer(RETRY_MS, () => {
      if (!queue.listed.delete(item.itemId)) return;
      queue.waiting.offer(item.lane, { ...stateOf(item), dueAt: deps.now() });
      queue.notify();
    });
  }

  async function keepFilling(queue: KindQueue): Promise<void> {
    while (!signal.aborted) {
      let at: string | null;
      queue.hasNews = false;
      try {
        at = await fill(queue);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error, kind: queue.kind.rule.kind }, 'the list of pending work could not be read; retrying');
        at = retryAt(deps.now());
      }
      const ms = at === null ? null : Math.max(0, Date.parse(at) - Date.parse(deps.now()));
      if (queue.hasNews) continue;
      await firstOf([queue.changed, ...(ms === null ? [] : [(notify: () => void) => timer(ms, notify)])], signal);
    }
  }

  /** Repeats with a pause, until the signal aborts. */
  async function repeat(ms: number, what: string, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work().catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, `${what}; retrying`);
      });
      await firstOf([(notify) => timer(ms, notify)], signal);
    }
  }

  const loops = Promise.all([
    repeat(RETRY_MS, 'the list of work could not be followed', () =>
      followItems(deps.readModels, queues, signal, timer),
    ),
    repeat(FORGET_MS, 'settled claims could not be removed', () => forgetSettled(deps, queues)),
    ...[...queues.values()].map(keepFilling),
  ]);
  return {
    state: () =>
      [...queues.values()].map((queue) => {
        const { kind, running, tries, failed, givenUp, freeSince, idleFreeSince, byNetwork } = queue;
        const full = [...byNetwork].flatMap(([network, count]) => (count >= networkLimit(kind) ? [network] : []));
        return {
          kind: kind.rule.kind,
          running,
          places: kind.parallel,
          tries,
          failed,
          givenUp,
          freeSince,
          idleFreeSince,
          hadToday: queue.hadToday(deps.now()),
          fullNetworks: new Set(full),
        };
      }),
    interrupt: performer.interrupt,
    notifyAll,
    done: loops.then(() => performer.idle()),
  };
}

function countNetwork({ byNetwork }: KindQueue, { network }: WorkItem, by: 1 | -1): void {
  if (network === undefined) return;
  const count = (byNetwork.get(network) ?? 0) + by;
  if (count > 0) byNetwork.set(network, count);
  else byNetwork.delete(network);
}

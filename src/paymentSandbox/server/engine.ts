/** The sandbox's time, and the single way to work with its books: up to date, all or nothing. */
import { type ContextDeps, createContext, type SandboxContext } from '../books/context.ts';
import type { Due, Store } from '../books/store.ts';

export type Engine = {
  /** Seconds, by the sandbox's clock. */
  now(): number;
  /** In one transaction, after everything due by now has been processed. */
  work<T>(request: SandboxContext['request'], run: (context: SandboxContext) => T): T;
  /** Advances to that second, processing what falls due on the way. @throws RangeError when it is past */
  advanceTo(seconds: number): void;
};

export type EngineDeps = ContextDeps & {
  readonly clock: () => number;
  /** Processes an item that is due. */
  readonly fallDue: (context: SandboxContext, due: Due) => void;
};

const LEAD = 'clock_lead';
/** An item due this many times at the same moment is stuck. */
const MOST_AT_ONCE = 100_000;

const leadOf = (store: Store): number => Number(store.note(LEAD) ?? 0);

export function createEngine({ clock, fallDue, ...deps }: EngineDeps): Engine {
  const { store } = deps;
  const now = (): number => Math.floor(clock() / 1_000) + leadOf(store);

  function catchUp(until: number): void {
    for (let done = 0; done < MOST_AT_ONCE; done += 1) {
      const due = store.nextDue(until);
      if (!due) return;
      // At its due time, which may be long past; each in a transaction of its own, so that a kill loses none of them.
      store.inOne(() => fallDue(createContext(deps, due.at), due));
    }
    throw new Error('what falls due does not come to an end');
  }

  return {
    now,
    work: (request, run) => {
      catchUp(now());
      return store.inOne(() => run(createContext(deps, now(), request)));
    },
    advanceTo: (seconds) => {
      const ahead = seconds - now();
      if (ahead < 0) throw new RangeError('the clock goes forward only');
      catchUp(seconds);
      store.setNote(LEAD, String(leadOf(store) + ahead));
    },
  };
}

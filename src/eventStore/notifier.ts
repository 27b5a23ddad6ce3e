/** Notifies waiters within this process: a store that owns its file needs no polling. */

/** Calls `notify` once when the trigger fires, unless the returned function has cancelled it before. */
export type Trigger = (notify: () => void) => () => void;

export type Notifier = { readonly notify: () => void; readonly listen: Trigger };

export function createNotifier(): Notifier {
  let listeners = new Set<() => void>();
  return {
    notify() {
      if (listeners.size === 0) return;
      const called = listeners;
      listeners = new Set();
      for (const listener of called) listener();
    },
    listen(notify) {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
  };
}

/** Notifies after `ms` milliseconds. */
export type Timer = (ms: number, notify: () => void) => () => void;

/** Longest single wait of a timer; its caller then checks again. */
const LONGEST_TIMER_MS = 60_000;

/** Uses system timers; does not keep the process alive. */
export const systemTimer: Timer = (ms, notify) => {
  const timer = setTimeout(notify, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  timer.unref();
  return () => clearTimeout(timer);
};

/** Resolves at the first of the triggers, or when `signal` aborts. */
export function firstOf(triggers: readonly Trigger[], signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      for (const cancel of cancels) cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancels = triggers.map((listen) => listen(done));
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * An iterable of the items of `run`. Each iteration is independent; it ends when `signal` aborts, when the consumer
 * leaves its loop, and also when `return()` is called while it waits for the next item, which a plain generator would
 * only notice after that item.
 */
export function iterable<T>(
  run: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
  signal: AbortSignal | undefined,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const stop = new AbortController();
      const abort = () => stop.abort();
      const generator = run(stop.signal);
      const detach = () => signal?.removeEventListener('abort', abort);
      if (signal?.aborted) stop.abort();
      else signal?.addEventListener('abort', abort, { once: true });
      return {
        async next() {
          const result = await generator.next();
          if (result.done) detach();
          return result;
        },
        return() {
          stop.abort();
          detach();
          return generator.return();
        },
      };
    },
  };
}

/**
 * Commands of this process to one stream are taken one after the other, in the order in which they came. Correctness
 * does not depend on it (each appends at exactly the revision that it read), but of commands taken at once only one
 * would get through, and all others would read the stream again. Hand-written because async-mutex cannot abort a
 * waiter.
 */
import type { EventStore } from '../eventStore/eventStore.ts';

type Queue = Set<() => void>;

const queuesOfStores = new WeakMap<EventStore, Map<string, Queue>>();

/**
 * Runs `work` once all earlier ones on this stream have ended. `work` may wait for nothing but the log, and must not
 * come here again with the same stream.
 * @throws the signal's reason if it aborts while waiting
 */
export async function oneAtATime<T>(
  store: EventStore,
  stream: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const queues = queuesOf(store);
  const queue = queues.get(stream);
  if (queue) await waitIn(queue, signal);
  else queues.set(stream, new Set());
  try {
    return await work();
  } finally {
    const [next] = queues.get(stream) ?? [];
    if (next) next();
    else queues.delete(stream);
  }
}

function waitIn(queue: Queue, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      queue.delete(admit);
      signal?.removeEventListener('abort', giveUp);
    };
    const admit = (): void => {
      leave();
      resolve();
    };
    const giveUp = (): void => {
      leave();
      reject(signal?.reason as Error);
    };
    if (signal?.aborted) return giveUp();
    queue.add(admit);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

function queuesOf(store: EventStore): Map<string, Queue> {
  const known = queuesOfStores.get(store);
  if (known) return known;
  const queues = new Map<string, Queue>();
  queuesOfStores.set(store, queues);
  return queues;
}

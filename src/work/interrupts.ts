/**
 * Events that end a claimed item: whoever is working on it in this process stops immediately rather than at its next
 * event.
 */
import type { EventStore, Position, RecordedEvent } from '../eventStore/eventStore.ts';
import type { WorkKind } from './kind.ts';

export type InterruptsOptions = {
  readonly store: EventStore;
  /** Event types that end an item in progress. */
  readonly types: readonly string[];
  readonly interrupt: (event: RecordedEvent) => void;
  readonly signal: AbortSignal;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Readonly<Record<'error', (details: object, message: string) => void>>;
};

/** Delay before restarting a broken subscription, ms. */
const SUBSCRIBE_AGAIN_MS = 1_000;

/** The interruptions defined by the rules of these kinds. */
export function interruptsOf(
  kinds: readonly Pick<WorkKind, 'rule'>[],
  stop: (kind: string, itemId: string, why: string) => void,
): Pick<InterruptsOptions, 'types' | 'interrupt'> {
  return {
    types: [...new Set(kinds.flatMap(({ rule }) => rule.interrupts ?? []))],
    interrupt(event) {
      for (const { rule } of kinds) {
        const itemId = rule.interrupts?.includes(event.type) ? rule.closes[event.type]?.(event) : null;
        if (itemId) stop(rule.kind, itemId, event.type);
      }
    },
  };
}

export type Interrupting = {
  /**
   * Resolves when later events are noticed, or the signal aborts: what is claimed before it could miss its
   * interruption.
   */
  readonly begun: Promise<void>;
  readonly done: Promise<void>;
};

/**
 * Runs until the signal aborts; events missed while the store is unavailable are handled afterwards. Neither promise
 * rejects.
 */
export function startInterrupting(options: InterruptsOptions): Interrupting {
  let done = Promise.resolve();
  const begun = new Promise<void>((resolve) => {
    done = keepInterrupting(options, resolve).finally(resolve);
  });
  return { begun, done };
}

async function keepInterrupting(
  { store, types, interrupt, signal, sleep, log }: InterruptsOptions,
  onBegun: () => void,
): Promise<void> {
  for (let after: Position | null = null; !signal.aborted; ) {
    try {
      after ??= await store.head();
      onBegun();
      for await (const message of store.subscribe({ after, filter: { types }, signal })) {
        if (message.kind === 'events') for (const event of message.events) interrupt(event);
        after = message.kind === 'events' ? (message.events.at(-1)?.position ?? after) : message.position;
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'outcomes of other workers could not be followed; retrying');
    }
    if (!signal.aborted) await sleep(SUBSCRIBE_AGAIN_MS, signal);
  }
}

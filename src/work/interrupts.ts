/** Events that end an item in somebody's hands: whoever works on it here stops at once instead of at its next event. */
import type { EventStore, Position, RecordedEvent } from '../eventStore/eventStore.ts';
import type { WorkKind } from './kind.ts';

export type InterruptsOptions = {
  readonly store: EventStore;
  /** Event types that end what somebody may be working on. */
  readonly types: readonly string[];
  readonly interrupt: (event: RecordedEvent) => void;
  readonly signal: AbortSignal;
  /** Resolves after `ms`, or sooner when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly log: Readonly<Record<'error', (details: object, message: string) => void>>;
};

/** Until the subscription is begun anew after it broke off, ms. */
const SUBSCRIBE_AGAIN_MS = 1_000;

/** What the rules of these kinds say of it. */
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

/** From now on until the signal aborts; what happens while the store is unavailable is handled afterwards. Never rejects. */
export async function keepInterrupting({ store, types, interrupt, signal, sleep, log }: InterruptsOptions): Promise<void> {
  for (let after: Position | null = null; !signal.aborted; ) {
    try {
      after ??= await store.head();
      for await (const message of store.subscribe({ after, filter: { types }, signal })) {
        if (message.kind === 'events') for (const event of message.events) interrupt(event);
        after = message.kind === 'events' ? (message.events.at(-1)?.position ?? after) : message.position;
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'what others ended could not be followed; it is tried again');
    }
    if (!signal.aborted) await sleep(SUBSCRIBE_AGAIN_MS, signal);
  }
}

/**
 * Counts what comes before money, and what a stranger can repeat: of a user at most one event per kind, reason and
 * window of this process. What happens to no known account is only a metric.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { CommandContext } from '../../commands/context.ts';
import { recordTally } from '../../commands/tally/recordTally.ts';
import type { TallyEvent } from '../../domain/tally/events.ts';
import { StoreUnavailable } from '../../eventStore/eventStore.ts';
import type { Metrics } from './metrics.ts';
import { type Counted, createWindowCounts } from './windowCounts.ts';

type Counts = 'userId' | 'count' | 'since' | 'until';
type TallyOf<Event> = Event extends TallyEvent
  ? { readonly type: Event['type'] } & Omit<Event['data'], Counts> & { readonly userId: string | null }
  : never;
/** `userId`: null if it was no known account's. */
export type Tally = TallyOf<TallyEvent>;

export type Tallies = {
  /** Never fails or blocks. */
  note(tally: Tally): void;
  /** Writes the pending counts. */
  close(): Promise<void>;
};

export type TalliesDeps = {
  readonly context: () => CommandContext;
  readonly log: Pick<Logger, 'warn'>;
  readonly metrics: Pick<Metrics, 'tallied'>;
  /** Before a store that does not answer is tried again. */
  readonly waitsMs?: readonly number[];
};

const WINDOW_MS = 15 * 60_000;
/** Of refused log-ins, which need no account. */
const LOG_IN_WINDOW_MS = 60 * 60_000;
/** Codes that one event names. */
const MOST_CODES = 10;
const WAITS_MS = [1_000, 5_000, 30_000, 120_000];

type Known = Tally & { readonly userId: string };

export function createTallies({ context, log, metrics, waitsMs = WAITS_MS }: TalliesDeps): Tallies {
  const ended = new AbortController();
  const now = (): string => context().now();
  const write = async (counted: Counted<Known>): Promise<void> => {
    const { userId, type } = counted.of;
    // Always the same command and event: a write whose answer was lost is not repeated.
    const ctx = context();
    const event = eventOf(counted, ctx.now());
    try {
      await untilAvailable({ waitsMs, signal: ended.signal }, () => recordTally(ctx, event));
    } catch (error) {
      log.warn({ err: error, userId, type, count: counted.count }, 'counts of a user were lost');
    }
  };
  const parts = { now, write, joined: withCodes };
  const counts = createWindowCounts<Known>({ ...parts, windowMs: WINDOW_MS });
  const logIns = createWindowCounts<Known>({ ...parts, windowMs: LOG_IN_WINDOW_MS });
  return {
    note(tally) {
      const reason = reasonOf(tally);
      metrics.tallied({ what: tally.type, reason, known: tally.userId !== null });
      if (!isKnown(tally)) return;
      const of = tally.type === 'LogInsRefused' ? logIns : counts;
      of.add(`${tally.userId} ${tally.type} ${reason}`, tally);
    },
    async close() {
      ended.abort();
      await Promise.all([counts.close(), logIns.close()]);
    },
  };
}

const isKnown = (tally: Tally): tally is Known => tally.userId !== null;

function reasonOf(tally: Tally): string {
  if (tally.type === 'SubmissionsRefused') return tally.reason;
  if (tally.type === 'CodesTried') return tally.outcome;
  return tally.type === 'LogInsRefused' ? '' : tally.purchase;
}

function withCodes(earlier: Known, later: Known): Known {
  if (earlier.type !== 'CodesTried' || later.type !== 'CodesTried') return later;
  return { ...later, codes: [...new Set([...earlier.codes, ...later.codes])].slice(0, MOST_CODES) };
}

function eventOf({ of, count, since }: Counted<Known>, until: string): TallyEvent {
  const { type, ...data } = of;
  return { type, data: { ...data, count, since, until } } as TallyEvent;
}

/** At the end of the process, one try is all. @throws what the last try threw */
async function untilAvailable(
  { waitsMs, signal }: { readonly waitsMs: readonly number[]; readonly signal: AbortSignal },
  work: () => Promise<void>,
): Promise<void> {
  for (const wait of waitsMs) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || signal.aborted) throw error;
      await delay(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
  return work();
}

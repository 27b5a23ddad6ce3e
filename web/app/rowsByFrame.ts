/**
 * Collects the socket's rows and applies them once a frame, so that a burst of messages is one change of the screen and
 * not hundreds. Hidden tabs have no frames: there they are applied once a second.
 */
import { callEach } from '../api/listeners.ts';
import type { RowEvent } from '../api/live.ts';

/** With more rows than this waiting, reading the lists again is less work. */
export const MAX_WAITING = 1000;
const HIDDEN_MS = 1000;

interface RowsByFrameOptions {
  /** The rows of one channel, in the order of their arrival. */
  readonly apply: (channel: string, rows: readonly RowEvent[]) => void;
  /** Too many rows were waiting, and those of this channel were dropped. */
  readonly reload: (channel: string) => void;
}

export interface RowsByFrame {
  readonly add: (row: RowEvent) => void;
  /** Applies what is waiting, now. */
  readonly flush: () => void;
  /** Drops what is waiting for a channel that nobody follows anymore. */
  readonly forget: (channel: string) => void;
  /** Drops everything, for good. */
  readonly close: () => void;
}

export function rowsByFrame({ apply, reload }: RowsByFrameOptions): RowsByFrame {
  const waiting = new Map<string, RowEvent[]>();
  /**
   * Channels whose rows were dropped since the last flush. What else arrives for them is part of what the reload reads.
   */
  const dropped = new Set<string>();
  let count = 0;
  let frame = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const unschedule = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = (): void => {
    unschedule();
    const rows = [...waiting];
    const stale = [...dropped];
    clear();
    callEach(stale, reload);
    callEach(rows, ([channel, events]) => apply(channel, events));
  };
  const clear = (): void => {
    waiting.clear();
    dropped.clear();
    count = 0;
  };
  const requestFrame = (): void => {
    if (timer === undefined || document.hidden) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(flush);
  };
  const schedule = (): void => {
    if (timer !== undefined) return;
    // Also in a visible tab: it may be hidden, or its window covered, before the frame comes.
    timer = setTimeout(flush, HIDDEN_MS);
    requestFrame();
  };
  const dropAll = (): void => {
    for (const channel of waiting.keys()) dropped.add(channel);
    waiting.clear();
    count = 0;
  };

  document.addEventListener('visibilitychange', requestFrame);
  return {
    add: (row) => {
      if (dropped.has(row.channel)) return;
      const rows = waiting.get(row.channel) ?? [];
      rows.push(row);
      waiting.set(row.channel, rows);
      count += 1;
      if (count > MAX_WAITING) dropAll();
      schedule();
    },
    flush,
    forget: (channel) => {
      count -= waiting.get(channel)?.length ?? 0;
      waiting.delete(channel);
      dropped.delete(channel);
    },
    close: () => {
      document.removeEventListener('visibilitychange', requestFrame);
      unschedule();
      clear();
    },
  };
}

/**
 * Counts what may be repeated at will: the first of its name is written at once, and those that follow within a window
 * as one count when it ends, which begins the next. So a name writes at most about one count per window. A killed
 * process loses the counts of its last window.
 */
/** Beyond it, names that have no window are not counted: every name may be a stranger's doing. */
const MOST_WINDOWS = 50_000;

export type WindowCounts<Of> = {
  /** Never fails or blocks. `of`: what the name stands for. */
  add(name: string, of: Of): void;
  /** Writes the pending counts. */
  close(): Promise<void>;
};

/** `since`: of the first that is counted, UTC ISO. */
export type Counted<Of> = { readonly of: Of; readonly count: number; readonly since: string };

type Window<Of> = { counted: Counted<Of> | null; readonly timer: NodeJS.Timeout };

/** `write` never rejects. `joined`: what a count of both stands for; by default the later. */
export function createWindowCounts<Of>({
  now,
  windowMs,
  write,
  joined = (_, later) => later,
}: {
  readonly now: () => string;
  readonly windowMs: number;
  readonly write: (counted: Counted<Of>) => Promise<void>;
  readonly joined?: (earlier: Of, later: Of) => Of;
}): WindowCounts<Of> {
  const windows = new Map<string, Window<Of>>();
  const writing = new Set<Promise<void>>();

  function start(counted: Counted<Of>): void {
    const written = write(counted);
    writing.add(written);
    void written.finally(() => writing.delete(written));
  }

  function open(name: string): void {
    const timer = setTimeout(() => {
      const counted = windows.get(name)?.counted;
      windows.delete(name);
      if (!counted) return;
      start(counted);
      open(name);
    }, windowMs);
    timer.unref();
    windows.set(name, { counted: null, timer });
  }

  return {
    add(name, of) {
      const window = windows.get(name);
      if (!window) {
        if (windows.size >= MOST_WINDOWS) return;
        start({ of, count: 1, since: now() });
        open(name);
      } else if (!window.counted) window.counted = { of, count: 1, since: now() };
      else {
        const { counted } = window;
        window.counted = { of: joined(counted.of, of), count: counted.count + 1, since: counted.since };
      }
    },
    async close() {
      for (const { counted, timer } of windows.values()) {
        clearTimeout(timer);
        if (counted) start(counted);
      }
      windows.clear();
      await Promise.all(writing);
    },
  };
}

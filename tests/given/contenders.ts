/** Processes that contend for one lease, each with a clock of its own that a test moves, stops and starts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Leadership, type LeadershipLog, whileLeading } from '../../src/leadership.ts';
import type { Leases } from '../../src/readModels/leases.ts';
import { manualClock } from './manualClock.ts';

export const TTL_MS = 8_000;
export const RENEW_MS = 2_000;
export const POLL_MS = 500;
const STEP_MS = 100;

export type Contender = {
  readonly owner: string;
  readonly leadership: Leadership;
  /** Asks the work at hand, as it would before a write. */
  held(): boolean;
  /** Neither paused nor gone. */
  isRunning(): boolean;
  /** Tokens of its holdings so far. */
  readonly tokens: number[];
  /** How its work ends once it was told to: by default at once. */
  onEnd: () => Promise<void>;
  /** Ends the work by itself, or with an error. */
  finish(error?: Error): void;
  /** As SIGSTOP: no timer of it rings. */
  pause(): void;
  /** As SIGCONT: all that was due rings now. */
  resume(): void;
  /** Gone for good without a word. */
  crash(): void;
  stop(): Promise<void>;
};

/** `whileAsking` (default): time stands still while the store is being asked. Without, the store's own delays pass with it. */
export function contest(leases: Leases, options: { readonly whileAsking?: boolean } = {}) {
  const { whileAsking = true } = options;
  const contenders = new Map<Contender, { tick(ms: number): void }>();
  let inFlight = 0;
  let elapsed = 0;

  async function counted<T>(step: Promise<T>): Promise<T> {
    inFlight += 1;
    return step.finally(() => {
      inFlight -= 1;
    });
  }

  /** Everybody has done what there was to do at this time. */
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = inFlight === 0 || !whileAsking ? quiet + 1 : 0) await nextTurn();
  }

  function enter(owner: string, options: { /** How fast its clock runs. */ readonly rate?: number; readonly log?: LeadershipLog } = {}): Contender {
    // Monotonic clocks have nothing to do with each other.
    const clock = manualClock(contenders.size * 1_000_000);
    const stopping = new AbortController();
    const tokens: number[] = [];
    let held = (): boolean => false;
    let finish: Contender['finish'] = () => undefined;
    let behindMs = 0;
    let state: 'running' | 'paused' | 'crashed' = 'running';
    const isDead = (): boolean => state === 'crashed';
    const never = new Promise<never>(() => undefined);
    // A process that is gone neither asks nor hears answers.
    const alive = <T>(step: () => Promise<T>): Promise<T> => (isDead() ? never : counted(step()).then((result) => (isDead() ? never : result)));
    const leadership = whileLeading(
      {
        name: 'projector',
        owner,
        signal: stopping.signal,
        leases: {
          read: (name) => alive(() => leases.read(name)),
          acquire: (claim) => alive(() => leases.acquire(claim)),
          renew: (record) => alive(() => leases.renew(record)),
          release: (record) => alive(() => leases.release(record)),
        },
        now: clock.now,
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            if (signal.aborted) return resolve();
            const end = (): void => {
              cancel();
              signal.removeEventListener('abort', end);
              resolve();
            };
            const cancel = clock.alarm(ms, end);
            signal.addEventListener('abort', end, { once: true });
          }),
        ttlMs: TTL_MS,
        renewMs: RENEW_MS,
        pollMs: POLL_MS,
        ...(options.log ? { log: options.log } : {}),
      },
      async (signal, isHeld) => {
        held = isHeld;
        tokens.push(leadership.token() ?? 0);
        await new Promise<void>((resolve, reject) => {
          finish = (error) => (error ? reject(error) : resolve());
          signal.addEventListener('abort', () => void contender.onEnd().then(resolve), { once: true });
        });
      },
    );
    const contender: Contender = {
      owner,
      leadership,
      held: () => held(),
      isRunning: () => state === 'running',
      tokens,
      onEnd: async () => undefined,
      finish: (error) => finish(error),
      pause() {
        if (state === 'running') state = 'paused';
      },
      resume() {
        if (state !== 'paused') return;
        state = 'running';
        const due = behindMs;
        behindMs = 0;
        clock.advance(due);
      },
      crash() {
        state = 'crashed';
      },
      async stop() {
        stopping.abort();
        await leadership.done;
      },
    };
    contenders.set(contender, {
      tick(ms) {
        behindMs += ms * (options.rate ?? 1);
        if (state !== 'running') return;
        const due = behindMs;
        behindMs = 0;
        clock.advance(due);
      },
    });
    return contender;
  }

  return {
    enter,
    settle,
    /** Milliseconds that have passed. */
    elapsed: () => elapsed,
    /** Those who would write now. */
    holders: () => [...contenders.keys()].filter((contender) => contender.isRunning() && contender.held()),
    /** Lets time pass for everybody, in small steps; `check` after each, until it returns true. */
    async pass(ms: number, check: () => boolean | undefined = () => undefined): Promise<void> {
      for (let left = ms; left > 0; left -= STEP_MS) {
        elapsed += STEP_MS;
        for (const { tick } of contenders.values()) tick(STEP_MS);
        await settle();
        if (check() === true) return;
      }
    },
  };
}

/** Processes that contend for one lease, each with a clock of its own that a test moves, stops and starts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Leadership, type LeadershipLog, whileLeading } from '../../../src/readModels/leadership.ts';
import type { Leases } from '../../../src/readModels/leases.ts';
import { manualClock } from '../manualClock.ts';

export const TTL_MS = 8_000;
export const RENEW_MS = 2_000;
export const POLL_MS = 500;
const STEP_MS = 100;

export type Contender = {
  readonly owner: string;
  readonly leadership: Leadership;
  /** Checks the lease in its current work, as before a write. */
  held(): boolean;
  /** Neither paused nor killed. */
  isRunning(): boolean;
  /** Tokens of its holdings so far. */
  readonly tokens: number[];
  /** How its work ends when stopped: by default at once. */
  onEnd: () => Promise<void>;
  /** Ends the work by itself, or with an error. */
  finish(error?: Error): void;
  /** As SIGSTOP: none of its timers fires. */
  pause(): void;
  /** As SIGCONT: all due timers fire now. */
  resume(): void;
  /** Killed without notice. */
  crash(): void;
  stop(): Promise<void>;
};

/** A process: its clock, and its connection to the store. */
export type Participant = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls a store: a killed process neither sends requests nor receives answers. */
  readonly ask: <T>(step: () => Promise<T>) => Promise<T>;
  readonly leases: Leases;
} & Pick<Contender, 'isRunning' | 'pause' | 'resume' | 'crash'>;

/** `whileAsking` (default): time is stopped during calls to the store. Without it, the store's own delays take time. */
export function contest(leases: Leases, options: { readonly whileAsking?: boolean } = {}) {
  const { whileAsking = true } = options;
  const contenders: Contender[] = [];
  const ticks: ((ms: number) => void)[] = [];
  let inFlight = 0;
  let elapsed = 0;

  async function counted<T>(step: Promise<T>): Promise<T> {
    inFlight += 1;
    return step.finally(() => {
      inFlight -= 1;
    });
  }

  /** Waits until all processes have done everything due at this time. */
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet = inFlight === 0 || !whileAsking ? quiet + 1 : 0) await nextTurn();
  }

  /** `rate`: how fast its clock runs. */
  function join(rate = 1): Participant {
    // Monotonic clocks of processes are unrelated.
    const clock = manualClock(ticks.length * 1_000_000);
    let behindMs = 0;
    let state: 'running' | 'paused' | 'crashed' = 'running';
    const isDead = (): boolean => state === 'crashed';
    const never = new Promise<never>(() => undefined);
    const ask = <T>(step: () => Promise<T>): Promise<T> =>
      isDead() ? never : counted(step()).then((result) => (isDead() ? never : result));
    const catchUp = (): void => {
      const due = behindMs;
      behindMs = 0;
      clock.advance(due);
    };
    ticks.push((ms) => {
      behindMs += ms * rate;
      if (state === 'running') catchUp();
    });
    return {
      now: clock.now,
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) return resolve();
          const end = (): void => {
            cancel();
            signal.removeEventListener('abort', end);
            resolve();
          };
          const cancel = clock.timer(ms, end);
          signal.addEventListener('abort', end, { once: true });
        }),
      ask,
      leases: {
        read: (name) => ask(() => leases.read(name)),
        acquire: (claim) => ask(() => leases.acquire(claim)),
        renew: (record) => ask(() => leases.renew(record)),
        release: (record) => ask(() => leases.release(record)),
        list: (prefix) => ask(() => leases.list(prefix)),
        remove: (record) => ask(() => leases.remove(record)),
      },
      isRunning: () => state === 'running',
      pause() {
        if (state === 'running') state = 'paused';
      },
      resume() {
        if (state !== 'paused') return;
        state = 'running';
        catchUp();
      },
      crash() {
        state = 'crashed';
      },
    };
  }

  function enter(
    owner: string,
    options: { /** How fast its clock runs. */ readonly rate?: number; readonly log?: LeadershipLog } = {},
  ): Contender {
    const { now, sleep, leases, isRunning, pause, resume, crash } = join(options.rate);
    const stopping = new AbortController();
    const tokens: number[] = [];
    let held = (): boolean => false;
    let finish: Contender['finish'] = () => undefined;
    const leadership = whileLeading(
      {
        name: 'projector',
        owner,
        signal: stopping.signal,
        leases,
        now,
        sleep,
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
      isRunning,
      tokens,
      onEnd: async () => undefined,
      finish: (error) => finish(error),
      pause,
      resume,
      crash,
      async stop() {
        stopping.abort();
        await leadership.done;
      },
    };
    contenders.push(contender);
    return contender;
  }

  return {
    join,
    enter,
    settle,
    /** Milliseconds that have passed. */
    elapsed: () => elapsed,
    /** The processes that would write now. */
    holders: () => contenders.filter((contender) => contender.isRunning() && contender.held()),
    /** Advances time for all processes in small steps; runs `check` after each, until it returns true. */
    async pass(ms: number, check: () => boolean | undefined = () => undefined): Promise<void> {
      for (let left = ms; left > 0; left -= STEP_MS) {
        elapsed += STEP_MS;
        for (const tick of ticks) tick(STEP_MS);
        await settle();
        if (check() === true) return;
      }
    },
  };
}

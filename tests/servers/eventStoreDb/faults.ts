/** Faults on demand. They are counted, never random: the same calls get the same faults. */
import type { Socket } from 'node:net';

/**
 * `reset`: the connection breaks. `silence`: no answer ever comes. `timeout`: the server answers that it took too long,
 * and has written it all the same.
 */
export type Loss = 'reset' | 'silence' | 'timeout';

/** The faults of one write (append, delete, tombstone). */
export type WriteFate = {
  /** Resolves when the write may go on; absent for at once. */
  readonly before?: Promise<void>;
  readonly loseRequest: boolean;
  readonly loseAnswer: Loss | null;
  readonly answerDelayMs: number;
};

export type Hold = {
  /** Resolves when the requested number of writes are held. */
  readonly held: Promise<void>;
  release(): void;
};

type Waiting = { left: number; readonly gate: Promise<void>; readonly full: () => void };

export class Faults {
  /** How many writes were received, and how many of their answers were lost. */
  readonly counts = { writes: 0, calls: 0, lostAnswers: 0, refused: 0 };
  private answersToDrop = 0;
  private loss: Loss = 'reset';
  private requestsToDrop = 0;
  private callsToRefuse = 0;
  private delays = 0;
  private delayMs = 0;
  private decide: ((write: number) => boolean) | undefined;
  private readonly holds: Waiting[] = [];
  private readonly sockets: ReadonlySet<Socket>;
  private serverVersion: string;
  private followed: { readonly host: string; readonly port: number } | null = null;

  constructor(sockets: ReadonlySet<Socket>, version: string) {
    this.sockets = sockets;
    this.serverVersion = version;
  }

  /** The next `times` writes are committed, and their answers never arrive. */
  dropAnswerAfterCommit(times = 1, loss: Loss = 'reset'): void {
    this.answersToDrop = times;
    this.loss = loss;
  }

  /** The same for each write that `decide` selects by its number, from 1; undefined ends it. */
  dropAnswersWhen(decide: ((write: number) => boolean) | undefined): void {
    this.decide = decide;
    this.loss = 'reset';
  }

  /** The next `times` writes are lost in transit: nothing is committed, and the connection breaks. */
  dropRequestBeforeCommit(times = 1): void {
    this.requestsToDrop = times;
  }

  /** The answers to the next `times` writes are delayed by `ms`. */
  delayAnswers(times: number, ms: number): void {
    this.delays = times;
    this.delayMs = ms;
  }

  /**
   * A slow writer: the next `times` writes wait, uncommitted and without a position, while others overtake them, until
   * they are released.
   */
  holdWrites(times = 1): Hold {
    let open = (): void => {};
    let full = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const held = new Promise<void>((resolve) => {
      full = resolve;
    });
    const waiting: Waiting = { left: times, gate, full };
    this.holds.push(waiting);
    return {
      held,
      release: () => {
        this.holds.splice(0, this.holds.length, ...this.holds.filter((each) => each !== waiting));
        open();
      },
    };
  }

  /** The next `times` calls are answered with 'unavailable'. Default: all of them, until `refuse(0)`. */
  refuse(times = Number.POSITIVE_INFINITY): void {
    this.callsToRefuse = times;
  }

  /** Breaks every connection; returns how many there were. New ones are accepted. */
  resetConnections(): number {
    const open = [...this.sockets];
    for (const socket of open) socket.resetAndDestroy();
    return open.length;
  }

  /**
   * From now on the server is a follower of that one: it redirects calls that need the leader, and answers the others
   * from its own log.
   */
  follow(leader: { readonly host: string; readonly port: number } | null): void {
    this.followed = leader;
  }

  get leader(): { readonly host: string; readonly port: number } | null {
    return this.followed;
  }

  /** The reported version: it determines the methods; 'unknown' is a server too old to report one. */
  pretendVersion(version: string): void {
    this.serverVersion = version;
  }

  get version(): string {
    return this.serverVersion;
  }

  /** Whether to refuse the current call. */
  refuses(): boolean {
    this.counts.calls += 1;
    if (this.callsToRefuse <= 0) return false;
    this.callsToRefuse -= 1;
    this.counts.refused += 1;
    return true;
  }

  /** The faults of the current write. */
  nextWrite(): WriteFate {
    this.counts.writes += 1;
    const loseRequest = this.requestsToDrop > 0;
    if (loseRequest) this.requestsToDrop -= 1;
    const before = this.hold();
    return {
      ...(before && { before }),
      loseRequest,
      loseAnswer: loseRequest ? null : this.lose(),
      answerDelayMs: this.delay(),
    };
  }

  private hold(): Promise<void> | undefined {
    const waiting = this.holds.find((each) => each.left > 0);
    if (!waiting) return undefined;
    waiting.left -= 1;
    if (waiting.left === 0) waiting.full();
    return waiting.gate;
  }

  private lose(): Loss | null {
    const chosen = this.decide?.(this.counts.writes) ?? false;
    if (!chosen && this.answersToDrop <= 0) return null;
    if (!chosen) this.answersToDrop -= 1;
    this.counts.lostAnswers += 1;
    return this.loss;
  }

  private delay(): number {
    if (this.delays <= 0) return 0;
    this.delays -= 1;
    return this.delayMs;
  }
}

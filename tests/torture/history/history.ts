/**
 * The requests and answers of clients, in real time: the history that `checkHistory` checks. Only the final log comes
 * from inside the product.
 */

/** A job as a read showed it. */
export type JobSeen = {
  readonly id: string;
  readonly userId: string;
  /** The unique number in its address; null without one. */
  readonly number: number | null;
  readonly status: string;
  readonly reasonCode: string | null;
  readonly createdAt: string;
  readonly position: string;
};

export type AcceptedJob = { readonly number: number | null; readonly id: string };

/** The request, and for `ok` the answer. */
type Asked =
  | { readonly kind: 'signUp' | 'logIn'; readonly userId: string | null }
  /** One or a batch. `jobs` in the order of `numbers`. */
  | {
      readonly kind: 'submit';
      readonly key: string;
      readonly numbers: readonly number[];
      readonly jobs: readonly AcceptedJob[];
      readonly replayed: boolean;
    }
  /** `job`: as the answer to a cancellation showed it. */
  | {
      readonly kind: 'cancel' | 'delete';
      readonly key: string;
      readonly jobId: string;
      readonly replayed: boolean;
      readonly job?: JobSeen | null;
    }
  /** All jobs of the account: those in progress, then those that have ended, each newest first. */
  | { readonly kind: 'list'; readonly active: readonly JobSeen[]; readonly ended: readonly JobSeen[] }
  /** `job` null: there is none (404). */
  | { readonly kind: 'read'; readonly jobId: string; readonly job: JobSeen | null }
  | { readonly kind: 'usage'; readonly used: number; readonly limit: number };

/** One request. The same `key` is a retry of the same request. */
export type Operation = Asked & {
  readonly id: number;
  readonly client: number;
  /** Email address of the account. */
  readonly account: string;
  /** The times before sending and after the answer: ms on one monotonic clock. */
  readonly from: number;
  readonly to: number;
  /** `fail`: refused, so nothing may have happened. `unknown`: no answer, or an inconclusive one. */
  readonly outcome: 'ok' | 'fail' | 'unknown';
  readonly status: number | null;
  readonly code: string | null;
};

/** An event of the final log, read through the store's port, with the data that the checker needs. */
export type LogEvent = {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  readonly type: string;
  readonly jobId: string | null;
  readonly userId: string | null;
  /** Of a JobSubmitted: the number in its address. */
  readonly number: number | null;
};

export type History = {
  readonly operations: readonly Operation[];
  /** Every event of the log, in order; of permanently deleted streams, those that the store still shows. */
  readonly log: readonly LogEvent[];
  /** Permanently deleted streams: their events may be missing from the log. */
  readonly deletedStreams: readonly string[];
  /**
   * Operations from this id on were requested when everything had settled: nothing in progress, nothing being written.
   */
  readonly restFrom: number;
};

type Recorded = Operation extends infer Each ? (Each extends Operation ? Omit<Each, 'id'> : never) : never;

export type Recorder = {
  readonly operations: readonly Operation[];
  /** ms on the history's clock. */
  now(): number;
  add(operation: Recorded): Operation;
  /** The same object for the same state, so that a long history stays small. */
  seen(job: JobSeen): JobSeen;
};

export function createRecorder(now: () => number = () => performance.now()): Recorder {
  const operations: Operation[] = [];
  const states = new Map<string, JobSeen>();
  return {
    operations,
    now,
    add(operation) {
      const added = { ...operation, id: operations.length } as Operation;
      operations.push(added);
      return added;
    },
    seen(job) {
      const key = Object.values(job).join('\n');
      const known = states.get(key);
      if (known) return known;
      states.set(key, job);
      return job;
    },
  };
}

/** The address with a number, and the number of an address. */
export const numbered = (site: string, number: number): string => `${site}/journal/short-note?n=${number}`;
export function numberOf(url: unknown): number | null {
  const digits = typeof url === 'string' ? /[?&]n=(\d+)$/.exec(url)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

/** What clients did and were shown, in real time: the history that `checkHistory` judges. Nothing of it comes from the product's inside but the log at its end. */

/** A job as a read showed it. */
export type JobSeen = {
  readonly id: string;
  readonly userId: string;
  /** The unique number that its address carries; null when there is none. */
  readonly number: number | null;
  readonly status: string;
  readonly reasonCode: string | null;
  readonly createdAt: string;
  readonly position: string;
};

export type AcceptedJob = { readonly number: number | null; readonly id: string };

/** What was asked, and for `ok` what was answered. */
type Asked =
  | { readonly kind: 'signUp' | 'logIn'; readonly userId: string | null }
  /** One or a batch. `jobs` in the order of `numbers`. */
  | { readonly kind: 'submit'; readonly key: string; readonly numbers: readonly number[]; readonly jobs: readonly AcceptedJob[]; readonly replayed: boolean }
  | { readonly kind: 'cancel' | 'delete'; readonly key: string; readonly jobId: string; readonly replayed: boolean }
  /** All jobs of the account: those under way, then those that have ended, each newest first. */
  | { readonly kind: 'list'; readonly active: readonly JobSeen[]; readonly ended: readonly JobSeen[] }
  /** `job` null: there is none (404). */
  | { readonly kind: 'read'; readonly jobId: string; readonly job: JobSeen | null }
  | { readonly kind: 'usage'; readonly used: number; readonly limit: number };

/** One request. The same `key` again is the same wish again. */
export type Operation = Asked & {
  readonly id: number;
  readonly client: number;
  /** E-mail address of the account that it was asked for. */
  readonly account: string;
  /** Asked before it was sent, and known after: ms on one clock that never goes back. */
  readonly from: number;
  readonly to: number;
  /** `fail`: refused, so nothing may have happened. `unknown`: no answer, or one that does not say. */
  readonly outcome: 'ok' | 'fail' | 'unknown';
  readonly status: number | null;
  readonly code: string | null;
};

/** An event of the log as the store's port reads it at the end, with what the checker needs of its data. */
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
  /** Every event of the log, in its order; of streams that were deleted for good what the store still shows. */
  readonly log: readonly LogEvent[];
  /** Streams that were deleted for good: their events may be missing in the log. */
  readonly deletedStreams: readonly string[];
  /** Operations from this id on were asked when everything had come to rest: nothing under way, nobody writing. */
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

/** The address that carries a number, and back. */
export const numbered = (site: string, number: number): string => `${site}/journal/short-note?n=${number}`;
export function numberOf(url: unknown): number | null {
  const digits = typeof url === 'string' ? /[?&]n=(\d+)$/.exec(url)?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

/** The requests of a history grouped by intent: a wish is sent once or, under the same key, several times. */
import type { AcceptedJob, History, Operation } from './history.ts';

/**
 * The product waits this long, ms, for its read models before it answers a write; one that took less was answered when
 * they had it. Less what timers err.
 */
export const PROMPT_MS = 1_950;

export type Faults = {
  /** `subject`: of several faults of one rule about one subject, only the first is reported. */
  add(rule: Rule, subject: string, text: string): void;
  list(): readonly Fault[];
};

export type Rule =
  | 'lost'
  | 'doubled'
  | 'refused but done'
  | 'of another account'
  | 'own write missing'
  | 'vanished'
  | 'backward'
  | 'order'
  | 'cancelled'
  | 'deleted'
  | 'usage'
  | 'reservation'
  | 'no end'
  | 'repeat'
  | 'account'
  | 'log';

export type Fault = { readonly rule: Rule; readonly text: string };

export function collectFaults(): Faults {
  const faults = new Map<string, Fault>();
  return {
    add: (rule, subject, text) => {
      const key = `${rule}\n${subject}`;
      if (!faults.has(key)) faults.set(key, { rule, text });
    },
    list: () => [...faults.values()],
  };
}

type Keyed = Extract<Operation, { readonly key: string }>;

export type Wish = {
  readonly kind: 'submit' | 'cancel' | 'delete';
  readonly key: string;
  readonly account: string;
  /** When it was first requested. */
  readonly from: number;
  /** HTTP statuses of all answers. */
  readonly statuses: readonly number[];
  /** Decided: `ok` once it was acknowledged. `unknown`: it may be carried out, now or later. */
  readonly outcome: Operation['outcome'];
  /** The first answer; null without one. */
  readonly acknowledgedAt: number | null;
  /** The time from which every read shows it; null when no answer promised it. */
  readonly visibleAt: number | null;
  /** The contents of the first answer. */
  readonly jobs: readonly AcceptedJob[];
  readonly numbers: readonly number[];
  /** For a cancellation or deletion. */
  readonly jobId: string | null;
};

const isKeyed = (operation: Operation): operation is Keyed =>
  operation.kind === 'submit' || operation.kind === 'cancel' || operation.kind === 'delete';

/** An answer within the product's timeout that was not replayed: reads show its write from then on. */
const prompt = (operation: Keyed): boolean =>
  operation.outcome === 'ok' && !operation.replayed && operation.to - operation.from < PROMPT_MS;

export function wishesOf(history: History): readonly Wish[] {
  const byKey = new Map<string, Keyed[]>();
  for (const operation of history.operations) {
    if (!isKeyed(operation)) continue;
    const tries = byKey.get(operation.key);
    if (tries) tries.push(operation);
    else byKey.set(operation.key, [operation]);
  }
  return [...byKey.values()].map(wishOf);
}

function wishOf(tries: readonly Keyed[]): Wish {
  const [first] = tries as readonly [Keyed];
  const done = tries.filter((operation) => operation.outcome === 'ok').sort((a, b) => a.to - b.to);
  const seen = tries.filter(prompt).map((operation) => operation.to);
  const [answer] = done;
  return {
    kind: first.kind,
    key: first.key,
    account: first.account,
    from: Math.min(...tries.map((operation) => operation.from)),
    statuses: tries.flatMap(({ status }) => status ?? []),
    outcome: answer ? 'ok' : tries.some((operation) => operation.outcome === 'unknown') ? 'unknown' : 'fail',
    acknowledgedAt: answer?.to ?? null,
    visibleAt: seen.length > 0 ? Math.min(...seen) : null,
    jobs: answer?.kind === 'submit' ? answer.jobs : [],
    numbers: first.kind === 'submit' ? first.numbers : [],
    jobId: first.kind === 'submit' ? null : first.jobId,
  };
}

/** Refusals before anything is decided under the key: no session, not found yet, rate limits. */
const UNDECIDED = new Set([401, 404, 429]);

/** The same wish gets the same answer each time. */
export function checkRepeats(history: History, faults: Faults): void {
  const first = new Map<string, Keyed>();
  for (const operation of history.operations) {
    if (!isKeyed(operation) || operation.outcome === 'unknown') continue;
    if (operation.outcome === 'fail' && UNDECIDED.has(operation.status ?? 0)) continue;
    const before = first.get(operation.key);
    if (!before) first.set(operation.key, operation);
    else if (answerOf(before) !== answerOf(operation))
      faults.add(
        'repeat',
        operation.key,
        `${operation.kind} ${operation.key} was answered ${answerOf(before)} (${before.id}), then ${answerOf(operation)} (${operation.id})`,
      );
  }
}

const answerOf = (operation: Keyed): string =>
  operation.outcome === 'ok'
    ? `ok ${operation.kind === 'submit' ? operation.jobs.map((job) => job.id).join() : ''}`.trim()
    : `${operation.status} ${operation.code}`;

/** The requests and answers of each client: the truth that the log is compared with. */

export type Ask = {
  readonly kind: 'submit' | 'batch' | 'cancel' | 'delete';
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly jobId?: string;
};

export type Entry = {
  readonly user: number;
  readonly key: string;
  readonly ask: Ask;
  /** `open`: no answer yet, or an inconclusive one. It is retried with the same key. */
  state: 'open' | 'acked' | 'refused';
  tries: number;
  status: number | null;
  code: string | null;
  /** Jobs created by a submission. */
  jobIds: readonly string[];
};

export type Ledger = {
  readonly entries: readonly Entry[];
  /** Answers that differ from an earlier one to the same key. */
  readonly contradictions: readonly string[];
  add(user: number, key: string, ask: Ask): Entry;
  /** The server's answer to one attempt. */
  answer(entry: Entry, status: number, body: unknown): void;
  count(state: Entry['state']): number;
};

function jobIdsOf(body: unknown): readonly string[] {
  const { data, jobs } = body as { data?: { id?: string }; jobs?: readonly { id: string }[] };
  return jobs ? jobs.map((job) => job.id) : data?.id ? [data.id] : [];
}

export function createLedger(): Ledger {
  const entries: Entry[] = [];
  const contradictions: string[] = [];
  return {
    entries,
    contradictions,
    add(user, key, ask) {
      const entry: Entry = { user, key, ask, state: 'open', tries: 0, status: null, code: null, jobIds: [] };
      entries.push(entry);
      return entry;
    },
    answer(entry, status, body) {
      // Rate limits, a missing session, a failure: nothing was decided.
      if (status >= 500 || status === 429 || status === 401) return;
      const state = status < 300 ? 'acked' : 'refused';
      const jobIds =
        state === 'acked' && (entry.ask.kind === 'submit' || entry.ask.kind === 'batch') ? jobIdsOf(body) : [];
      const code = (body as { code?: string }).code ?? null;
      if (entry.state !== 'open' && (entry.state !== state || entry.jobIds.join() !== jobIds.join())) {
        contradictions.push(
          `${entry.ask.kind} ${entry.key}: first ${entry.status} [${entry.jobIds.join()}], then ${status} [${jobIds.join()}]`,
        );
        return;
      }
      Object.assign(entry, { state, status, code, jobIds });
    },
    count: (state) => entries.filter((entry) => entry.state === state).length,
  };
}

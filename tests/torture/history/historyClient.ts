/** One client of a history: does one thing at a time, on its own accounts and on shared ones, and records each. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { type JobSeen, numbered, numberOf, type Operation, type Recorder } from './history.ts';
import { ask, type Outcome, type Request } from './historyApi.ts';

/** A slot for one account after another: the next one follows when the audits of the last are used up. */
export type Seat = { readonly name: string; generation: number };

/** State that all clients share. */
export type Board = {
  readonly recorder: Recorder;
  readonly urls: () => readonly string[];
  readonly site: string;
  readonly nextNumber: () => number;
  /** The last seen state of each account. */
  readonly jobs: Map<string, { active: string[]; ended: string[] }>;
  /** The longest pause of a client between two actions, ms. */
  readonly thinkingMs: number;
  /** Every account in use. */
  readonly accounts: Set<string>;
};

export type HistoryClient = {
  /** One action or, with retries, a few. */
  turn(): Promise<void>;
  /** Retries open requests. False while some are still undecided. */
  settle(): Promise<boolean>;
  /** Reads everything of an account. True when it succeeded, and nothing is in progress. */
  look(account: string): Promise<boolean>;
};

type Wish = {
  readonly kind: 'submit' | 'cancel' | 'delete';
  readonly account: string;
  readonly key: string;
  readonly request: Request;
  readonly numbers: readonly number[];
  readonly jobId: string;
};

const PASSWORD = 'torture password';
/** From this many unfinished jobs of an account on, it mostly cancels instead of submitting. */
const BACKLOG = 4;
/** The remembered state of each account. */
const REMEMBERED = 60;
const BATCH = [2, 3] as const;

export const accountOf = (seat: Seat): string => `${seat.name}-${seat.generation}@example.com`;

export type Seats = { readonly own: Seat; readonly shared: readonly Seat[] };

export function createHistoryClient(
  number: number,
  { own, shared }: Seats,
  random: Random,
  board: Board,
): HistoryClient {
  const { recorder } = board;
  const tokens = new Map<string, string>();
  const open = new Set<Wish>();
  const address = `10.0.${number}.1`;

  const oneOf = <T>(items: readonly T[]): T | undefined =>
    items.length === 0 ? undefined : items[random.between(0, items.length - 1)];

  type Plain = { readonly client: number; readonly account: string; readonly from: number; readonly to: number } & Pick<
    Operation,
    'outcome' | 'status' | 'code'
  >;

  /** Sends it to one of the running processes. */
  async function send(
    account: string,
    request: Omit<Request, 'address'>,
  ): Promise<{ readonly answer: Outcome; readonly told: Plain }> {
    let urls = board.urls();
    for (; urls.length === 0; urls = board.urls()) await wait(50);
    const from = recorder.now();
    const answer = await ask(oneOf(urls) ?? '', { ...request, address });
    const { outcome, status, code } = answer;
    if (status === 401) tokens.delete(account);
    if (outcome === 'unknown' || status === 429) await wait(50);
    return { answer, told: { client: number, account, from, to: recorder.now(), outcome, status, code } };
  }

  const seenOf = (view: Record<string, unknown>): JobSeen =>
    recorder.seen({
      id: String(view.id),
      userId: String(view.user_id),
      number: numberOf(view.url),
      status: String(view.status),
      reasonCode: (view.reason_code as string | null) ?? null,
      createdAt: String(view.created_at),
      position: String(view.position),
    });

  async function enter(account: string): Promise<string | null> {
    const known = tokens.get(account);
    if (known !== undefined) return known;
    const body = { email: account, password: PASSWORD };
    // Several clients may want the same account at the same moment: one signs it up, the others find it taken.
    for (const kind of board.accounts.has(account) ? (['logIn'] as const) : (['signUp', 'logIn'] as const)) {
      const { answer, told } = await send(account, {
        method: 'POST',
        path: kind === 'signUp' ? '/auth/signup-first' : '/auth/login',
        body,
      });
      const userId = answer.outcome === 'ok' ? String(answer.body.user_id) : null;
      recorder.add({ ...told, kind, userId });
      if (userId !== null) {
        board.accounts.add(account);
        tokens.set(account, answer.body.token);
        return answer.body.token;
      }
      if (answer.code !== 'EMAIL_TAKEN') return null;
    }
    return null;
  }

  async function list(account: string): Promise<Operation> {
    const { answer, told } = await send(account, {
      method: 'GET',
      path: '/jobs?limit=500',
      token: tokens.get(account),
    });
    const ok = answer.outcome === 'ok';
    const active: readonly JobSeen[] = ok ? answer.body.data.active.map(seenOf) : [];
    const ended: readonly JobSeen[] = ok ? answer.body.data.completed.map(seenOf) : [];
    if (ok)
      board.jobs.set(account, {
        active: active.map((job) => job.id),
        ended: ended.map((job) => job.id).slice(0, REMEMBERED),
      });
    return recorder.add({ ...told, kind: 'list', active, ended });
  }

  async function read(account: string, jobId: string): Promise<void> {
    const { answer, told } = await send(account, { method: 'GET', path: `/jobs/${jobId}`, token: tokens.get(account) });
    const job = answer.outcome === 'ok' ? seenOf(answer.body.data) : null;
    // A missing job is an answer.
    const outcome = answer.status === 404 ? 'ok' : answer.outcome;
    recorder.add({ ...told, outcome, kind: 'read', jobId, job });
  }

  async function usage(account: string): Promise<Operation> {
    const { answer, told } = await send(account, {
      method: 'GET',
      path: '/subscription/status',
      token: tokens.get(account),
    });
    const { used, limit } = answer.outcome === 'ok' ? answer.body.data.usage : { used: 0, limit: 0 };
    return recorder.add({ ...told, kind: 'usage', used, limit });
  }

  /** Sends the request once. */
  async function sendWish(wish: Wish): Promise<Outcome> {
    const { account, key, numbers, jobId, kind } = wish;
    const { answer, told } = await send(account, { ...wish.request, key, token: tokens.get(account) });
    const { replayed } = answer;
    if (kind === 'submit') {
      const views: readonly Record<string, unknown>[] =
        answer.outcome === 'ok' ? (answer.body.jobs ?? [answer.body.data]) : [];
      const jobs = views.map((view) => ({ number: numberOf(view.url), id: String(view.id) }));
      recorder.add({ ...told, kind, key, numbers, jobs, replayed });
      board.jobs.get(account)?.active.push(...jobs.map((job) => job.id));
    } else
      recorder.add({
        ...told,
        kind,
        key,
        jobId,
        replayed,
        job: kind === 'cancel' && answer.outcome === 'ok' ? seenOf(answer.body.data) : null,
      });
    // Before anything was decided: no session, too many.
    const undecided = answer.outcome === 'unknown' || answer.status === 401 || answer.status === 429;
    if (!undecided) open.delete(wish);
    return answer;
  }

  /**
   * Retries or gives up, as users without an answer do; and sometimes repeats an answered request, as if a proxy had
   * lost the answer.
   */
  async function pursue(wish: Wish): Promise<Outcome> {
    open.add(wish);
    let answer = await sendWish(wish);
    // If it never started, it is not retried.
    if (answer.outcome === 'fail') open.delete(wish);
    for (let tries = 0; answer.outcome === 'unknown' && tries < 3 && random.chance(0.6); tries += 1)
      answer = await sendWish(wish);
    if (answer.outcome === 'ok' && random.chance(0.1)) await sendWish(wish);
    return answer;
  }

  async function submit(seat: Seat, account: string): Promise<void> {
    const count = random.chance(0.25) ? random.between(...BATCH) : 1;
    const numbers = Array.from({ length: count }, board.nextNumber);
    const wrong = random.chance(0.06);
    const urls = [
      ...numbers.map((each) => numbered(board.site, each)),
      ...(wrong ? ['http://this is no address/'] : []),
    ];
    const options = { maxPages: 1 };
    const single = urls.length === 1;
    const request = {
      method: 'POST',
      path: single ? '/process' : '/process/batch',
      body: single ? { url: urls[0], options } : { urls, options },
      address,
    } as const;
    const answer = await pursue({ kind: 'submit', account, key: random.hex(), request, numbers, jobId: '' });
    if (answer.code === 'INSUFFICIENT_CREDITS' && single && accountOf(seat) === account) seat.generation += 1;
  }

  async function end(kind: 'cancel' | 'delete', account: string, jobId: string): Promise<void> {
    const request =
      kind === 'cancel'
        ? ({ method: 'POST', path: `/jobs/${jobId}/cancel`, address } as const)
        : ({ method: 'DELETE', path: `/jobs/${jobId}`, address } as const);
    await pursue({ kind, account, key: random.hex(), request, numbers: [], jobId });
  }

  async function act(seat: Seat, account: string): Promise<unknown> {
    const { active, ended } = board.jobs.get(account) ?? { active: [], ended: [] };
    const luck = random.next();
    if (luck < 0.38) return list(account);
    if (luck < 0.46) return usage(account);
    if (luck < 0.48) {
      const foreign = oneOf([...board.jobs].filter(([other]) => other !== account).flatMap(([, jobs]) => jobs.ended));
      return foreign === undefined ? list(account) : read(account, foreign);
    }
    if (luck < 0.72) {
      const job = oneOf([...active, ...ended.slice(0, 10)]);
      return job === undefined ? list(account) : read(account, job);
    }
    // Mostly possible requests, sometimes ones that must be refused.
    if (luck < (active.length > BACKLOG ? 0.88 : 0.79)) {
      const job = random.chance(0.9) ? oneOf(active) : oneOf(ended);
      return job === undefined ? list(account) : end('cancel', account, job);
    }
    if (luck < (active.length > BACKLOG ? 0.97 : 0.88)) {
      const job = random.chance(0.9) ? oneOf(ended) : oneOf(active);
      return job === undefined ? list(account) : end('delete', account, job);
    }
    return submit(seat, account);
  }

  return {
    async turn() {
      const seat = random.chance(0.4) ? own : (oneOf(shared) ?? own);
      const account = accountOf(seat);
      if ((await enter(account)) !== null) await act(seat, account);
      await wait(random.between(0, board.thinkingMs));
    },
    async settle() {
      for (const wish of [...open]) {
        // Some stay unanswered forever, as when their client leaves. Cancellations and deletions are retried until
        // decided.
        if (wish.kind === 'submit' && random.chance(0.3)) open.delete(wish);
        else if ((await enter(wish.account)) !== null) await sendWish(wish);
      }
      return open.size === 0;
    },
    async look(account) {
      if ((await enter(account)) === null) return false;
      const used = await usage(account);
      const jobs = await list(account);
      return used.outcome === 'ok' && jobs.outcome === 'ok' && jobs.kind === 'list' && jobs.active.length === 0;
    },
  };
}

/**
 * One client: submits, cancels and deletes as fast as the answers come, each write under its own Idempotency-Key, until
 * the server is gone.
 */

import { exchange } from '../../given/product/exchange.ts';
import type { Random } from '../random.ts';
import type { Entry, Ledger } from './ledger.ts';

export type Client = {
  readonly user: number;
  /** Signs up; after a crash, logs in. */
  enter(url: string): Promise<void>;
  /** Settles open requests, then continues with new work. Ends when the server stops answering or `until` aborts. */
  work(url: string, until: AbortSignal): Promise<void>;
  /** Settles open requests without making new ones. */
  settle(url: string): Promise<void>;
  /** Everything it may see, as the server lists it. */
  jobs(url: string): Promise<{ readonly active: readonly string[]; readonly finished: readonly string[] }>;
};

/** From this many unfinished jobs on, it cancels instead of submitting. */
const BACKLOG = 4;
const PASSWORD = 'torture password';

/** The server went down, or answered "not now": the request stays open and is retried. */
export class Unanswered extends Error {}

type JobList = {
  readonly data: { readonly active: readonly { id: string }[]; readonly completed: readonly { id: string }[] };
  readonly cursor: string | null;
};
type Answer = { readonly status: number; readonly body: unknown };

export function createClient(user: number, ledger: Ledger, random: Random, site: string): Client {
  const email = `client-${user}@example.com`;
  let token = '';
  let active: string[] = [];
  let finished: string[] = [];

  async function call(
    url: string,
    method: string,
    path: string,
    body?: object,
    key?: string,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const headers = {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    };
    const limit = AbortSignal.timeout(20_000);
    try {
      const response = await exchange(`${url}/api/v1${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: signal ? AbortSignal.any([limit, signal]) : limit,
      });
      return { status: response.status, body: JSON.parse(response.text) };
    } catch (error) {
      throw new Unanswered(`${method} ${path}: ${String(error)}`);
    }
  }

  async function enter(url: string): Promise<void> {
    const credentials = { email, password: PASSWORD };
    const signedIn = await call(url, 'POST', '/auth/login', credentials);
    const answer = signedIn.status === 200 ? signedIn : await call(url, 'POST', '/auth/signup-first', credentials);
    if (answer.status >= 300)
      throw new Error(`Client ${user} could not sign in: ${answer.status} ${JSON.stringify(answer.body)}`);
    token = (answer.body as { token: string }).token;
  }

  async function send(url: string, entry: Entry, signal?: AbortSignal): Promise<Answer> {
    entry.tries += 1;
    const answer = await call(url, entry.ask.method, entry.ask.path, entry.ask.body, entry.key, signal);
    ledger.answer(entry, answer.status, answer.body);
    if (answer.status === 401) await enter(url);
    return answer;
  }

  async function list(url: string, cursor: string | null): Promise<JobList> {
    const { status, body } = await call(
      url,
      'GET',
      `/jobs?limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    );
    if (status === 401) await enter(url);
    if (status !== 200) throw new Unanswered(`The list was answered with ${status}.`);
    return body as JobList;
  }

  async function jobs(url: string) {
    const first = await list(url, null);
    const done = first.data.completed.map((job) => job.id);
    for (let { cursor } = first; cursor; ) {
      const page = await list(url, cursor);
      done.push(...page.data.completed.map((job) => job.id));
      cursor = page.cursor;
    }
    return { active: first.data.active.map((job) => job.id), finished: done };
  }

  function newEntry(): Entry {
    const key = random.hex();
    const options = { maxPages: 1 };
    const address = () => `${site}/journal/short-note?n=${random.hex()}`;
    const job = active.length > BACKLOG ? active.shift() : random.chance(0.3) ? active.pop() : undefined;
    if (job) return ledger.add(user, key, { kind: 'cancel', method: 'POST', path: `/jobs/${job}/cancel`, jobId: job });
    const old = random.chance(0.4) ? finished.shift() : undefined;
    if (old) return ledger.add(user, key, { kind: 'delete', method: 'DELETE', path: `/jobs/${old}`, jobId: old });
    if (random.chance(0.2)) {
      const urls = Array.from({ length: random.between(2, 3) }, address);
      return ledger.add(user, key, { kind: 'batch', method: 'POST', path: '/process/batch', body: { urls, options } });
    }
    return ledger.add(user, key, {
      kind: 'submit',
      method: 'POST',
      path: '/process',
      body: { url: address(), options },
    });
  }

  const open = () => ledger.entries.filter((entry) => entry.user === user && entry.state === 'open');

  async function settle(url: string): Promise<void> {
    for (const entry of open()) await send(url, entry);
  }

  async function workOn(url: string, until: AbortSignal): Promise<void> {
    for (const entry of open()) await send(url, entry, until);
    for (let turn = 0; !until.aborted; turn += 1) {
      if (turn % 8 === 0)
        ({ active, finished } = await jobs(url).then((list) => ({
          active: [...list.active],
          finished: list.finished.slice(-20),
        })));
      const entry = newEntry();
      const { status } = await send(url, entry, until);
      active.push(...entry.jobIds);
      if (entry.ask.kind === 'cancel' && entry.state === 'acked' && entry.ask.jobId) finished.push(entry.ask.jobId);
      // A repeated request gets the same answer.
      if (entry.state === 'acked' && random.chance(0.1)) await send(url, entry, until);
      if (status === 429) return;
    }
  }

  return {
    user,
    enter,
    settle,
    jobs,
    async work(url, until) {
      try {
        await workOn(url, until);
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
      }
    },
  };
}

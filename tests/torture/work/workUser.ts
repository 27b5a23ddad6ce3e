/**
 * One user of a work run: submits, deletes, requests mails and deliveries, and sometimes deletes the account and
 * returns with another.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { numbered } from '../history/history.ts';
import { ask, type Outcome, type Request } from '../history/historyApi.ts';
import type { Random } from '../random.ts';
import type { OutsideWorld } from './outsideWorld.ts';

/** The acknowledgments to users, which the log must contain. */
export type Acknowledged = {
  readonly jobs: Set<string>;
  readonly cancelled: Set<string>;
  readonly deleted: Set<string>;
  readonly accountsGone: Set<string>;
  /** Requests by their final answer: acknowledged, or the code of the refusal. */
  readonly words: Map<string, number>;
  acknowledged: number;
};

export const nothingAcknowledged = (): Acknowledged => ({
  jobs: new Set(),
  cancelled: new Set(),
  deleted: new Set(),
  accountsGone: new Set(),
  words: new Map(),
  acknowledged: 0,
});

export type WorkUserOptions = {
  readonly name: string;
  /** Creates its client address. */
  readonly number: number;
  readonly urls: () => readonly string[];
  readonly site: string;
  readonly world: Pick<OutsideWorld, 'receiver' | 'confirmationFor'>;
  readonly random: Random;
  readonly replies: Acknowledged;
  readonly nextNumber: () => number;
  /** Never deletes the account, to keep its backlog. */
  readonly keepsAccount: boolean;
  /**
   * How long it waits for the mail with the link, ms; without it, mails about jobs are dropped. Default half a minute.
   */
  readonly mailMs?: number | undefined;
  /** Whether it has a webhook. */
  readonly webhooks: boolean;
};

export type WorkUser = {
  enter(): Promise<void>;
  /** Submits this many addresses, a hundred at a time. */
  submit(count: number): Promise<void>;
  /** One action. */
  turn(): Promise<void>;
  /** Jobs that have not ended. */
  underWay(): Promise<number>;
};

const PASSWORD = 'torture password';
/** The limit of its own unfinished jobs: above it, nothing more is submitted. */
const ENOUGH = 5;
const BATCH = 100;
/** Timeout of one attempt, ms: as long as a browser's; retrying on a busy store makes it busier. */
const TRY_MS = 30_000;
/** Pause before the next attempt: the default without Retry-After, and the maximum, ms. */
const AGAIN_MS = 250;
const MOST_AGAIN_MS = 5_000;
/** Pause between two attempts to log in: initial and maximum, ms. */
const ENTER_MS = 250;
const MOST_ENTER_MS = 20_000;
/**
 * Longer than any outage, ms: during a rebuild of all read models without a projector, the latest writes are not
 * visible for as long as it takes.
 */
const TIMEOUT_MS = 1_200_000;
/** Rate-limited per hour: a user over the limit gives up. */
const RESET = '/auth/reset-password';

export function createWorkUser(options: WorkUserOptions): WorkUser {
  const {
    name,
    number,
    urls,
    site,
    world,
    random,
    replies,
    nextNumber,
    keepsAccount,
    mailMs = 30_000,
    webhooks,
  } = options;
  const address = `10.1.${number}.1`;
  let generation = 0;
  let token: string | undefined;
  let userId = '';
  let active: string[] = [];
  let ended: string[] = [];
  let webhook: string | null = null;
  const email = (): string => `${name}-${generation}@example.com`;
  const oneOf = <T>(all: readonly T[]): T | undefined =>
    all.length === 0 ? undefined : all[random.between(0, all.length - 1)];

  /** Repeats the request under the same key until it is decided, also after an answer to come back later. */
  async function decided(request: Omit<Request, 'address' | 'token' | 'timeoutMs'>): Promise<Outcome> {
    const key = random.hex();
    const end = Date.now() + TIMEOUT_MS;
    for (;;) {
      const url = oneOf(urls());
      const answer = url === undefined ? null : await ask(url, { ...request, key, address, token, timeoutMs: TRY_MS });
      if (answer && answer.outcome !== 'unknown' && (answer.status !== 429 || request.path === RESET)) return answer;
      if (Date.now() > end)
        throw new Error(
          `${request.method} ${request.path} was not decided within ${TIMEOUT_MS} ms: ${answer?.status} ${answer?.code}`,
        );
      await wait(Math.min(answer?.retryAfterMs ?? AGAIN_MS, MOST_AGAIN_MS));
    }
  }

  async function act(what: string, request: Omit<Request, 'address' | 'token' | 'timeoutMs'>): Promise<Outcome> {
    let answer = await decided(request);
    if (answer.status === 401 && what !== 'delete account') {
      await enter();
      answer = await decided(request);
    }
    const word = answer.outcome === 'ok' ? what : `${what}: ${answer.code}`;
    replies.words.set(word, (replies.words.get(word) ?? 0) + 1);
    if (answer.outcome === 'ok') replies.acknowledged += 1;
    return answer;
  }

  async function enter(): Promise<void> {
    token = undefined;
    const body = { email: email(), password: PASSWORD };
    // A session is invalid until the read models show it, and the address of a deleted account is free only once all of
    // it is erased.
    const end = Date.now() + TIMEOUT_MS;
    let answer = await decided({ method: 'POST', path: '/auth/signup-first', body });
    for (let tries = 1; answer.outcome !== 'ok' && Date.now() < end; tries += 1) {
      // As a person would: an address may sign up only a few times an hour.
      await wait(Math.min(tries * ENTER_MS, MOST_ENTER_MS));
      answer = await decided({ method: 'POST', path: tries % 2 === 1 ? '/auth/login' : '/auth/signup-first', body });
    }
    if (answer.outcome !== 'ok') throw new Error(`${email()} could not enter: ${answer.status} ${answer.code}`);
    token = String(answer.body.token);
    userId = String(answer.body.user_id);
  }

  async function confirmEmail(): Promise<void> {
    const end = Date.now() + mailMs;
    while (world.confirmationFor(email()) === null && Date.now() < end) await wait(100);
    const link = world.confirmationFor(email());
    if (link !== null)
      await act('confirm email', { method: 'POST', path: '/auth/confirm-email', body: { token: link } });
  }

  async function addWebhook(): Promise<void> {
    if (!webhooks) return;
    const body = { url: `${world.receiver}/${name}`, events: ['job.completed', 'action.completed'] };
    const answer = await act('add webhook', { method: 'POST', path: '/webhooks', body });
    webhook = answer.outcome === 'ok' ? String(answer.body.data.id) : null;
  }

  async function submit(count: number): Promise<void> {
    for (let left = count; left > 0; left -= BATCH) {
      const addresses = Array.from({ length: Math.min(left, BATCH) }, () => numbered(site, nextNumber()));
      const options = { maxPages: 1 };
      const answer =
        addresses.length === 1
          ? await act('submit', { method: 'POST', path: '/process', body: { url: addresses[0], options } })
          : await act('submit batch', { method: 'POST', path: '/process/batch', body: { urls: addresses, options } });
      if (answer.outcome !== 'ok') continue;
      const jobs: readonly { readonly id: string }[] = answer.body.jobs ?? [answer.body.data];
      for (const { id } of jobs) replies.jobs.add(id);
      active.push(...jobs.map(({ id }) => id));
    }
  }

  async function look(): Promise<void> {
    const answer = await act('list', { method: 'GET', path: '/jobs?limit=50' });
    if (answer.outcome !== 'ok') return;
    active = answer.body.data.active.map((job: { readonly id: string }) => job.id);
    ended = answer.body.data.completed.map((job: { readonly id: string }) => job.id);
  }

  async function cancel(jobId: string): Promise<void> {
    const { outcome } = await act('cancel', { method: 'POST', path: `/jobs/${jobId}/cancel` });
    if (outcome === 'ok') replies.cancelled.add(jobId);
    active = active.filter((id) => id !== jobId);
  }

  async function remove(jobId: string): Promise<void> {
    const { outcome } = await act('delete', { method: 'DELETE', path: `/jobs/${jobId}` });
    if (outcome === 'ok') replies.deleted.add(jobId);
    ended = ended.filter((id) => id !== jobId);
  }

  async function deliverAgain(endpoint: string): Promise<void> {
    const path = `/webhooks/${endpoint}`;
    const list = await act('list deliveries', { method: 'GET', path: `${path}/deliveries?limit=20` });
    const deliveries: readonly { readonly id: string; readonly status: string }[] =
      list.outcome === 'ok' ? list.body.data : [];
    const done = oneOf(deliveries.filter(({ status }) => status === 'delivered'));
    if (done) await act('deliver again', { method: 'POST', path: `${path}/deliveries/${done.id}/redeliver` });
    else await act('test webhook', { method: 'POST', path: `${path}/test` });
  }

  async function leave(): Promise<void> {
    const answer = await act('delete account', {
      method: 'DELETE',
      path: '/account',
      body: { password: PASSWORD, confirmation: 'DELETE' },
    });
    // Its own session ends with the account: a retry after a lost answer gets no more than that.
    if (answer.outcome === 'ok') replies.accountsGone.add(userId);
    else if (answer.status !== 401) return;
    generation += 1;
    [active, ended, webhook] = [[], [], null];
    await enter();
    await confirmEmail();
    await addWebhook();
  }

  return {
    enter: async () => {
      await enter();
      await confirmEmail();
      await addWebhook();
    },
    submit,
    async turn() {
      const luck = random.next();
      const job = oneOf(active);
      const done = oneOf(ended);
      if (luck < 0.25) await look();
      else if (luck < 0.5 && active.length < ENOUGH) await submit(random.chance(0.3) ? random.between(2, 4) : 1);
      else if (luck < 0.57 && job) await cancel(job);
      else if (luck < 0.7 && done) await remove(done);
      else if (luck < 0.8) await act('reset password', { method: 'POST', path: RESET, body: { email: email() } });
      else if (luck < 0.9 && webhook !== null) await deliverAgain(webhook);
      else if (luck < 0.91 && !keepsAccount) await leave();
      else await look();
    },
    underWay: async () => {
      await look();
      return active.length;
    },
  };
}

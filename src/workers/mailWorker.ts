/** Sends the product's mails: each event that leads to one is taken by one worker, and looked for again when its delivery was lost. */
import { setTimeout as wait } from 'node:timers/promises';
import { derivedId } from '../commands/derivedId.ts';
import { loadState } from '../commands/handle.ts';
import { kindOf, MAIL_OF_EVENT } from '../commands/mailOf.ts';
import { mailDecider, mailStream } from '../domain/mail/mail.ts';
import type { Delivery, EventStore, Position, RecordedEvent } from '../eventStore/eventStore.ts';
import { type DeliverDeps, deliverMail, FRESH_MS, type Outcome } from './mails/deliverMail.ts';

/** The consumer group whose parked events an admin sees. */
export const MAIL_GROUP = 'mails';

const TYPES = Object.keys(MAIL_OF_EVENT);
/** Mails on their way at once. */
const PARALLEL = 4;
/** Longer than a mail server may take over all its answers. */
const LEASE_MS = 90_000;
const RESTART_MS = 1_000;
/** For mails on their way when the process stops; what is cut off is sent again under the same id. */
const STOP_MS = 5_000;
/** Younger ones are in the queue's own hands. */
const LOST_AFTER_MS = 5 * 60 * 1_000;
const PAGE = 200;

export type MailWorkerDeps = DeliverDeps & {
  readonly store: EventStore;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void; error(fields: object, text: string): void };
  /** Between tries, ms. Default: the store's. */
  readonly backoff?: (attempt: number) => number;
};

export type MailWorker = {
  /** Owner of mails whose delivery got lost or was given up: one round; answers how many it sent. */
  resend(): Promise<number>;
  stop(): Promise<void>;
};

export function startMailWorker(deps: MailWorkerDeps): MailWorker {
  const { store, log } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const underWay = new Set<string>();
  let settled: ReadonlySet<string> = new Set();

  /** Null when it is none of this worker's to send now. */
  async function deliver(event: RecordedEvent): Promise<Outcome | null> {
    if (event.type === 'AccountDeleted') {
      await deps.mailer?.forget((event.data as { userId: string }).userId);
      return null;
    }
    if (underWay.has(event.id)) return null;
    underWay.add(event.id);
    try {
      const outcome = await deliverMail(deps, event);
      if (outcome === 'sent' || outcome === 'dropped') log.info({ mail: kindOf(event), outcome }, 'mail');
      return outcome;
    } finally {
      underWay.delete(event.id);
    }
  }

  async function work(delivery: Delivery): Promise<void> {
    try {
      await deliver(delivery.event);
      await delivery.ack();
    } catch (error) {
      if (stopping.signal.aborted) return delivery.defer(0);
      log.warn({ err: error, mail: kindOf(delivery.event), attempt: delivery.attempt }, 'a mail could not be sent; it is tried again');
      await delivery.retry(String(error));
    }
  }

  async function consume(): Promise<void> {
    const filter = { types: [...TYPES, 'AccountDeleted'] };
    const options = { group: MAIL_GROUP, filter, leaseMs: LEASE_MS, signal: stopping.signal, ...(deps.backoff ? { backoff: deps.backoff } : {}) };
    for await (const delivery of store.consume(options)) {
      const done = work(delivery)
        .catch((error: unknown) => log.error({ err: error }, 'a mail could not be settled'))
        .finally(() => running.delete(done));
      running.add(done);
      while (running.size >= PARALLEL) await Promise.race(running);
    }
  }

  /** A store that is away for a while must not leave a worker that does nothing. */
  async function keepConsuming(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        // It ends when it is told to, or with its store.
        return await consume();
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.error({ err: error }, 'the mail worker lost its store; it goes on as soon as it can');
        await wait(RESTART_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  /** The first that fails ends the round: when the mail server is away, the others need not try. */
  async function resend(): Promise<number> {
    const now = Date.parse(deps.now());
    const [from, to] = [now - FRESH_MS, now - LOST_AFTER_MS].map((time) => new Date(time).toISOString()) as [string, string];
    const known = new Set<string>();
    let sent = 0;
    for await (const event of backward(store)) {
      if (event.metadata.at < from) break;
      if (event.metadata.at > to || stopping.signal.aborted) continue;
      const outcome = settled.has(event.id) || (await isSettled(store, event)) ? 'done_before' : await deliver(event);
      if (outcome !== 'waits') known.add(event.id);
      if (outcome === 'sent') sent += 1;
    }
    settled = known;
    return sent;
  }

  const loop = keepConsuming();
  return {
    resend,
    async stop() {
      stopping.abort();
      const late = new AbortController();
      await Promise.race([Promise.all(running), wait(STOP_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined)]);
      late.abort();
      await loop;
    },
  };
}

async function isSettled(store: EventStore, event: RecordedEvent): Promise<boolean> {
  const mailId = derivedId(event.id, 'mail', kindOf(event) ?? '');
  return (await loadState(store, mailDecider, mailStream(mailId))).state.status === 'settled';
}

/** The events that lead to mails, newest first. */
async function* backward(store: EventStore): AsyncGenerator<RecordedEvent> {
  for (let after: Position | undefined; ; ) {
    const page = await store.readAll({ direction: 'backward', limit: PAGE, filter: { types: TYPES }, ...(after === undefined ? {} : { after }) });
    yield* page.events;
    if (page.end) return;
    after = page.next;
  }
}

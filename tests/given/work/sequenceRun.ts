/**
 * A sequence sent through a real mail server by processes that crash, while the clock is set back and forth. Which
 * email meets which fault depends only on its number. The outcome of an email stays unknown to its sender once at most:
 * because of the server, or because of a crash.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { unsubscribe } from '../../../src/commands/account/setMailChoice.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { type Mail, type Mailer, MailRefused } from '../../../src/integrations/mailer/mailer.ts';
import { createSmtpMailer } from '../../../src/integrations/mailer/smtp.ts';
import { WORK_ITEMS } from '../../../src/work/items.ts';
import type { WorkItem } from '../../../src/work/kind.ts';
import { SEQUENCE_MAIL } from '../../../src/work/kinds/sequenceMail.ts';
import type { ArrivedMail } from '../../contract/mailer.ts';
import { startMailServer, type Verdict } from '../../servers/mailServer.ts';
import type { Product } from '../commands.ts';
import { sequenceWorld } from './sequences.ts';
import { rest } from './toyWork.ts';
import type { Work } from './work.ts';

/** An email accepted by the server, `at` this time of the injected clock (ms). */
export type Arrival = ArrivedMail & { readonly at: number };

const MINUTE_MS = 60_000;
/**
 * Real time: the timeout for an email that the server never answers, and for all others, long enough for a busy
 * machine.
 */
const SHORT_MS = 250;
const LONG_MS = 60_000;
const FROM = 'no-reply@example.com';

export const addressOf = (user: number): string => `user${user}@example.com`;
const userIn = (address: string): number => Number(/^user(\d+)@/.exec(address)?.[1]);
/** The server permanently refuses all email to these users. */
export const bounces = (user: number): boolean => user % 20 === 9;

/** From `sign_up 3 for User 12`. */
function faultOf(subject: string): Verdict {
  const [, step, user] = /^\w+ (\d+) for User (\d+)$/.exec(subject) ?? [];
  const number = Number(user) * 5 + Number(step);
  if (number % 40 === 22) return 'unanswered';
  return (['taken', 'taken', 'lost', 'taken', 451, 'dropped', 'taken', 'taken'] as const)[number % 8] ?? 'taken';
}

export type SequenceRun = Awaited<ReturnType<typeof openSequenceRun>>;

export async function openSequenceRun(made: Product, work: Work) {
  const world = sequenceWorld(work);
  const arrivals: Arrival[] = [];
  const faults = new Map<Verdict, number>();
  const met = new Set<string>();
  /** Message-IDs of emails whose outcome did not reach their sender. */
  const unknown = new Set<string>();
  const countOf = (messageId: string): number => arrivals.filter((each) => each.messageId === messageId).length;
  const meets = <Fault extends Verdict>(fault: Fault): Fault => {
    faults.set(fault, (faults.get(fault) ?? 0) + 1);
    return fault;
  };
  let senders = 0;
  const server = await startMailServer({
    judges: {
      // It concerns the sender, not the email: sending is retried.
      sender: () => {
        senders += 1;
        return senders % 29 === 0 ? meets(550) : 'taken';
      },
      recipient: (address) => {
        if (bounces(userIn(address))) return 550;
        const busy = userIn(address) % 6 === 2 && !met.has(address);
        met.add(address);
        return busy ? meets(421) : 'taken';
      },
      mail: (mail) => {
        const fault = faultOf(mail.subject);
        // Each email meets its fault once.
        const verdict = fault === 'taken' || met.has(mail.messageId) ? 'taken' : meets(fault);
        met.add(mail.messageId);
        if (typeof verdict !== 'number' && verdict !== 'dropped') arrivals.push({ ...mail, at: made.clock.now() });
        return verdict;
      },
    },
  });
  const [short, long] = [SHORT_MS, LONG_MS].map((timeoutMs) =>
    createSmtpMailer({ url: server.url, from: FROM, timeoutMs }),
  ) as [Mailer, Mailer];

  /**
   * Emails that a process is sending and whose outcome is not in the log yet, and how often they had arrived before.
   */
  type InProgress = Map<string, number>;

  let sending = 0;
  const mailerOf = (inProgress: InProgress, hasCrashed: () => boolean): Mailer => ({
    ...long,
    send: async (mail: Mail) => {
      if (hasCrashed()) throw new Error('The process has crashed.');
      inProgress.set(mail.messageId, countOf(mail.messageId));
      sending += 1;
      const waits = faultOf(mail.subject) === 'unanswered' && !met.has(mail.messageId);
      try {
        await (waits ? short : long).send(mail);
      } catch (error) {
        inProgress.delete(mail.messageId);
        if (!(error instanceof MailRefused) && !(error instanceof Error && 'responseCode' in error))
          unknown.add(mail.messageId);
        throw error;
      } finally {
        sending -= 1;
      }
    },
  });

  /** Crashes at its `nth` write, or at the first later one at which no email being sent has arrived before. */
  function crashingAt(inProgress: InProgress, nth: number, when: 'before' | 'after') {
    let writes = 0;
    let crashed = false;
    async function write<Result>(act: () => Promise<Result>): Promise<Result> {
      if (crashed) throw new Error('The process has crashed.');
      writes += 1;
      const isLast = writes >= nth && [...inProgress.values()].every((before) => before === 0);
      if (isLast) {
        crashed = true;
        for (const messageId of inProgress.keys()) unknown.add(messageId);
        if (when === 'before') throw new Error('The process crashes before a write.');
      }
      const result = await act();
      if (isLast) throw new Error('The process crashes after a write.');
      return result;
    }
    const inherited: EventStore = Object.create(made.store);
    const store = Object.assign(inherited, {
      append: (...input: Parameters<EventStore['append']>) =>
        write(async () => {
          const result = await made.store.append(...input);
          const [stream, events] = input;
          if (events.some(({ type }) => type === 'MailSent' || type === 'MailDropped'))
            for (const messageId of inProgress.keys())
              if (stream === `mail-${messageId.split('@')[0]}`) inProgress.delete(messageId);
          return result;
        }),
    });
    return { store, hasCrashed: () => crashed };
  }

  async function due(): Promise<readonly string[]> {
    await work.settle();
    const { documents } = await work.readModels.find<WorkItem>(WORK_ITEMS, {
      where: { kind: SEQUENCE_MAIL },
      limit: 1_000,
    });
    return documents.flatMap(({ data }) => (data.dueAt <= made.now() ? [data.itemId] : []));
  }

  /** Until no email is due, however long the machine takes; the clock advances while no process holds one. */
  async function sendAllDue(isOver: () => boolean = () => false): Promise<void> {
    while (!isOver()) {
      await world.follow();
      const mailIds = await due();
      if (mailIds.length === 0) return;
      const claims = await work.readModels.claims.read(SEQUENCE_MAIL, mailIds);
      if (claims.every(({ holder }) => holder === null)) made.clock.advance(MINUTE_MS);
      // Real input and output: the event loop is left to it.
      while (sending > 0 && !isOver()) await pause(1);
      await rest(20);
    }
  }

  let processes = 0;
  let crashes = 0;
  /** One process from its start to its crash at about this write of its own. */
  async function crashOnce(nth: number, when: 'before' | 'after'): Promise<void> {
    processes += 1;
    const inProgress: InProgress = new Map();
    const { store, hasCrashed } = crashingAt(inProgress, nth, when);
    const running = work.startMortal(
      () => [world.kindOf(mailerOf(inProgress, hasCrashed), store)],
      `process ${processes}`,
    );
    await sendAllDue(hasCrashed);
    if (hasCrashed()) crashes += 1;
    await running.vanish();
  }
  /** A process that does not crash; `meanwhile` happens while it runs. */
  async function live(meanwhile: () => void = () => undefined): Promise<void> {
    processes += 1;
    const healthy = work.start([world.kindOf(mailerOf(new Map(), () => false))], { holder: `process ${processes}` });
    meanwhile();
    await sendAllDue();
    await healthy.stop();
  }

  return {
    world,
    arrivals,
    faults,
    unknown,
    due,
    crashOnce,
    live,
    crashes: () => crashes,
    /** With the link in the first copy of the newest email. */
    turnOff: async (user: number) => {
      const own = arrivals.filter(({ to }) => to === addressOf(user));
      const mail = own.find(({ messageId }) => messageId === own.at(-1)?.messageId);
      const link = /<(.*)>/.exec(mail?.header('list-unsubscribe') ?? '')?.[1] ?? '';
      await unsubscribe(made.context(), { token: new URL(link).searchParams.get('token') ?? '' });
      await world.follow();
    },
    close: async () => {
      await Promise.all([short.close(), long.close()]);
      await server.close();
    },
  };
}

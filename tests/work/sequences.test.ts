/**
 * A sequence of five steps under everything that may happen to it: processes that crash at each of their writes, clocks set an hour back and forth over
 * a change to summer time, users who turn such emails off on the way. Every email leaves once, in order, on its day or later, and none to users who
 * opted out.
 */
import { afterEach, expect, it } from 'vitest';
import { unsubscribe } from '../../src/commands/account/setMailChoice.ts';
import type { Mail, Mailer } from '../../src/integrations/mailer/mailer.ts';
import { SEQUENCE_MAIL } from '../../src/work/kinds/sequenceMail.ts';
import { crashingStore, orCrash, product, withAdmin } from '../given/commands.ts';
import { receivingMailer, tokenOf } from '../given/work/mailDelivery.ts';
import { activeSequence, provenUser, sequenceWorld } from '../given/work/sequences.ts';
import { until } from '../given/work/toyWork.ts';
import { openWork, type Work } from '../given/work/work.ts';

const USERS = 200;
const HOUR_MS = 60 * 60 * 1_000;
const STEP_HOURS = 6;
const DELAYS = [0, 1, 2, 1, 3];
const DAYS = 10;
const DEATHS_A_STEP = 5;
/** Users who turn such emails off, and after which email. */
const LEAVES_AFTER = 2;
const leaves = (nth: number): boolean => nth % 4 === 1;

let work: Work;
afterEach(() => work.close());

type Left = Mail & { readonly at: number; readonly holder: number };

it(`sends each email of ${USERS} users once, in order, wherever processes crash and whatever the clocks say`, { timeout: 120_000 }, async () => {
  // Two days before daylight saving time begins in Europe; Berlin's hours do not matter.
  const made = await withAdmin(product());
  made.clock.advance(Date.parse('2026-03-27T22:30:00.000Z') - made.clock.now());
  work = await openWork(made);
  const world = sequenceWorld(work);
  await activeSequence(made, DELAYS);
  const left: Left[] = [];
  let kills = 0;
  const users: string[] = [];
  for (let nth = 0; nth < USERS; nth += 1) users.push(await provenUser(made, `user${nth}@example.com`, `User ${nth}`));

  let holder = 0;
  const takingAs = (own: number): Mailer => ({
    ...receivingMailer().mailer,
    send: async (mail) => void left.push({ ...mail, at: made.clock.now(), holder: own }),
  });
  /** One process from its start to its crash at one of its writes. */
  async function live(nth: number, when: 'before' | 'after'): Promise<void> {
    holder += 1;
    const store = crashingStore(made.store, nth, when);
    const running = work.startMortal(() => [world.kindOf(takingAs(holder), store)], `process ${holder}`);
    await work.settle();
    await work.settle();
    if (store.crashed()) kills += 1;
    await running.vanish();
    // Longer than the wait after a failure.
    made.clock.advance(2 * 60_000);
  }
  const isDue = async (): Promise<boolean> => {
    const items = await Promise.all((await world.waiting()).map((mailId) => work.item(SEQUENCE_MAIL, mailId)));
    return items.some((item) => item && item.dueAt <= made.now());
  };

  for (let hour = 0; hour < DAYS * 24; hour += STEP_HOURS) {
    // Forward by an hour too much, or back by one.
    const jump = [0, 1, -1, 0, -1, 1][(hour / STEP_HOURS) % 6] ?? 0;
    made.clock.advance((hour === 0 ? 0 : STEP_HOURS + jump) * HOUR_MS);
    await orCrash(world.follow(crashingStore(made.store, 1 + (hour % 4), hour % 12 === 0 ? 'before' : 'after')));
    await world.follow();
    for (let death = 0; death < DEATHS_A_STEP && (await isDue()); death += 1) await live(1 + (holder % 9), holder % 2 === 0 ? 'before' : 'after');
    holder += 1;
    const healthy = work.start([world.kindOf(takingAs(holder))], { holder: `process ${holder}` });
    // However many users there are: nothing expires because the test took long.
    await until(async () => !(await isDue()));
    await work.settle();
    await healthy.stop();
    await world.follow();
    for (const [nth] of users.entries()) {
      const own = left.filter(({ to }) => to === `user${nth}@example.com`);
      if (leaves(nth) && new Set(own.map(({ messageId }) => messageId)).size === LEAVES_AFTER)
        await unsubscribe(made.context(), { token: tokenOf(own.at(-1)) }).catch(() => undefined);
    }
    await world.follow();
  }
  // The rest is done without crashes.
  made.clock.advance(24 * HOUR_MS);
  work.start([world.kindOf(takingAs(-1))]);
  await until(async () => {
    await world.follow();
    return (await work.listed(SEQUENCE_MAIL)).length === 0;
  });

  expect(kills).toBeGreaterThanOrEqual(20);
  for (const [nth] of users.entries()) {
    const own = left.filter(({ to }) => to === `user${nth}@example.com`);
    const first = own.filter(({ messageId }, at) => own.findIndex((mail) => mail.messageId === messageId) === at);
    const wanted = leaves(nth) ? LEAVES_AFTER : DELAYS.length;
    expect(first.map(({ subject }) => subject)).toEqual(Array.from({ length: wanted }, (_each, step) => `sign_up ${step + 1} for User ${nth}`));
    // A second time only from another process, which could not know of the first one's: the next one after it.
    for (const mail of own) {
      const again = own.filter(({ messageId }) => messageId === mail.messageId);
      expect(again.length).toBe(new Set(again.map(({ holder: by }) => by)).size);
    }
    expect(new Set(first.map(({ at }) => new Date(at).toISOString().slice(0, 10))).size).toBe(first.length);
  }
  const log = await made.log();
  const sent = log.filter(({ type }) => type === 'SequenceMailSent');
  expect(sent).toHaveLength(new Set(sent.map(({ data }) => (data as { mailId: string }).mailId)).size);
  // Due by days of 24 hours, across the clock change too.
  const due = log.filter(({ type }) => type === 'SequenceMailScheduled').map(({ data }) => (data as { dueAt: string }).dueAt.slice(10));
  expect(new Set(due)).toEqual(new Set(['T22:30:00.000Z']));
});

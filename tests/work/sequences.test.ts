/**
 * A sequence of five steps under everything that may happen to it: processes that crash at each of their writes; a mail
 * server that is busy, refuses, hangs and drops connections; clocks set an hour back and forth, in a time zone whose
 * daylight saving time begins or ends on the way; users who turn such emails off. 10 users, or 200 in the full form,
 * which also has a zone without daylight saving time.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crashingStore, orCrash, product, withAdmin } from '../given/commands.ts';
import { FULL } from '../given/fullForm.ts';
import { addressOf, bounces, openSequenceRun, type SequenceRun } from '../given/work/sequenceRun.ts';
import { activeSequence, provenUser } from '../given/work/sequences.ts';
import { openWork, type Work } from '../given/work/work.ts';

const USERS = FULL ? 200 : 10;
const HOUR_MS = 60 * 60 * 1_000;
const STEP_HOURS = 6;
const DELAYS = [0, 1, 2, 1, 3];
const DAYS = 8;
/** How the clock is set between the crashes of a step, in hours. */
const SET_BY = [1, -1, 0, 1, 0, -1];
/** Users who turn such emails off, and after which email. */
const LEAVES_AFTER = 2;
const leaves = (user: number): boolean => user % 4 === 1 && !bounces(user);
const users = Array.from({ length: USERS }, (_, user) => user);

let zone: string | undefined;
let work: Work;
let run: SequenceRun;
beforeEach(() => {
  zone = process.env.TZ;
});
afterEach(async () => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
  await work.close();
  await run.close();
});

/** Runs a sequence to its end. Returns how many emails had arrived in all when each user turned such emails off. */
async function goThrough(startsAt: string): Promise<ReadonlyMap<number, number>> {
  const made = await withAdmin(product());
  const startMs = Date.parse(startsAt);
  made.clock.advance(startMs - made.clock.now());
  work = await openWork(made);
  run = await openSequenceRun(made, work);
  await activeSequence(made, DELAYS);
  for (const user of users) await provenUser(made, addressOf(user), `User ${user}`);

  const gone = new Map<number, number>();
  async function turnOffs(): Promise<void> {
    for (const user of users.filter((each) => leaves(each) && !gone.has(each))) {
      const own = run.arrivals.filter(({ to }) => to === addressOf(user));
      if (new Set(own.map(({ messageId }) => messageId)).size < LEAVES_AFTER) continue;
      await run.turnOff(user);
      gone.set(user, run.arrivals.length);
    }
  }
  for (let hour = 0; hour < DAYS * 24; hour += STEP_HOURS) {
    made.clock.advance(Math.max(0, startMs + hour * HOUR_MS - made.clock.now()));
    await orCrash(run.world.follow(crashingStore(made.store, 1 + (hour % 4), hour % 12 === 0 ? 'before' : 'after')));
    await run.world.follow();
    for (const [crash, hours] of SET_BY.entries()) {
      if ((await run.due()).length === 0) break;
      await run.crashOnce(1 + ((hour + crash * 3) % 9), crash % 2 === 0 ? 'before' : 'after');
      made.clock.set(hours * HOUR_MS);
      await turnOffs();
    }
    // Emails that were due are not due for another hour, and then they are again.
    await run.live(() => made.clock.set(-HOUR_MS));
    await run.live(() => made.clock.set(HOUR_MS));
    await turnOffs();
  }
  expect(await run.world.waiting()).toEqual([]);
  return gone;
}

const PLACES: readonly (readonly [timeZone: string, startsAt: string, hourLost: number])[] = [
  ...(FULL ? ([['UTC', '2026-03-27T23:30:00.000Z', 0]] as const) : []),
  ['Europe/Berlin', '2026-03-27T23:30:00.000Z', -60],
  ['Europe/Berlin', '2026-10-23T23:30:00.000Z', 60],
];

describe.each(PLACES)(`a sequence for ${USERS} users in %s from %s`, (timeZone, startsAt, hourLost) => {
  it('sends each email once, in order, despite crashes, clock changes and mail server faults', {
    timeout: 600_000,
  }, async () => {
    process.env.TZ = timeZone;
    const offset = (days: number): number => new Date(Date.parse(startsAt) + days * 24 * HOUR_MS).getTimezoneOffset();
    expect(offset(DAYS) - offset(0)).toBe(hourLost);

    const gone = await goThrough(startsAt);
    expect(run.crashes()).toBeGreaterThanOrEqual(20);
    expect(new Set(run.faults.keys())).toEqual(new Set([421, 451, 550, 'dropped', 'lost', 'unanswered']));

    const times = new Map<string, number>();
    for (const { messageId } of run.arrivals) times.set(messageId, (times.get(messageId) ?? 0) + 1);
    const twice = [...times].filter(([, count]) => count > 1);
    expect(twice.filter(([messageId, count]) => count > 2 || !run.unknown.has(messageId))).toEqual([]);
    expect(twice.length).toBeGreaterThan(0);

    for (const user of users) {
      const own = run.arrivals.filter(({ to }) => to === addressOf(user));
      const first = own.filter(({ messageId }, nth) => own.findIndex((mail) => mail.messageId === messageId) === nth);
      const wanted = bounces(user) ? 0 : leaves(user) ? LEAVES_AFTER : DELAYS.length;
      expect(first.map(({ subject }) => subject)).toEqual(
        DELAYS.slice(0, wanted).map((_delay, step) => `sign_up ${step + 1} for User ${user}`),
      );
      expect(new Set(first.map(({ at }) => new Date(at).toISOString().slice(0, 10))).size).toBe(first.length);
      const after = run.arrivals.slice(gone.get(user) ?? run.arrivals.length);
      expect(after.filter(({ to }) => to === addressOf(user))).toEqual([]);
    }
    expect(gone.size).toBe(users.filter(leaves).length);

    const log = await work.made.log();
    const sent = log
      .filter(({ type }) => type === 'SequenceMailSent')
      .map(({ data }) => (data as { readonly mailId: string }).mailId);
    expect(sent).toHaveLength(new Set(sent).size);
    // Due by days of 24 hours, across the clock change too.
    const due = log
      .filter(({ type }) => type === 'SequenceMailScheduled')
      .map(({ data }) => (data as { readonly dueAt: string }).dueAt.slice(10));
    expect(new Set(due)).toEqual(new Set(['T23:30:00.000Z']));
  });
});

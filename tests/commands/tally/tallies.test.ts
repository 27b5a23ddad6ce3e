/** Tallies in the log: written once, deleted by month and with their account, and summed before. */
import { describe, expect, it } from 'vitest';
import { ERASURE } from '../../../src/commands/closedStreams.ts';
import { recordTally } from '../../../src/commands/tally/recordTally.ts';
import { deleteTalliesOf } from '../../../src/commands/tally/sumTallies.ts';
import { eventsOf } from '../../../src/domain/stored/eventOf.ts';
import { TALLY_TYPES, type TallyEvent } from '../../../src/domain/tally/events.ts';
import { type EventStore, START } from '../../../src/eventStore/eventStore.ts';
import { verifyLog } from '../../../src/eventStore/verify/verifyLog.ts';
import { checkouts } from '../../../src/reports/checkouts.ts';
import { createOldTallies } from '../../../src/work/sweeps/oldTallies.ts';
import { atEveryCrash, orCrash, type Product, product } from '../../given/commands.ts';
import { runReport } from '../../given/reports.ts';
import { still } from '../../given/work/following.ts';

const DAY = 24 * 60;
const sweepOf = ({ context }: Product, store?: EventStore) =>
  createOldTallies({ context: (cause) => context(cause, store), keptDays: 90 });

function noted(made: Product, type: TallyEvent['type'], userId: string, more: object = {}, count = 1): Promise<void> {
  const at = made.now();
  return recordTally(made.context(), { type, data: { userId, count, since: at, until: at, ...more } } as TallyEvent);
}
const ranOut = (made: Product, userId: string, count = 1) =>
  noted(made, 'SubmissionsRefused', userId, { reason: 'INSUFFICIENT_CREDITS' }, count);
async function bought(made: Product, userId: string): Promise<void> {
  const data = { userId, paymentIntentId: `pi_${userId}`, amount: 5_000, currency: 'usd', funds: 5_000, balance: 5_000 };
  const event = { type: 'FundsAdded', data: { ...data, quantity: 1, addedAt: made.now() } };
  const metadata = { ...(await made.log())[0]?.metadata, at: made.now() } as never;
  await made.store.append(`billing-${userId}`, [{ id: crypto.randomUUID(), ...event, metadata }], { expected: 'any' });
}

/** Two months: in the first one two users run out, one of them buys; both are refused log-ins in the second. */
async function twoMonths(made: Product = product()): Promise<Product> {
  for (const userId of ['ann', 'bea']) await ranOut(made, userId, 3);
  made.pass(30);
  await noted(made, 'CheckoutsOpened', 'ann', { purchase: 'reports' });
  await bought(made, 'ann');
  await noted(made, 'CodesTried', 'bea', { outcome: 'valid', codes: ['FIFTEEN'] });
  made.pass(31 * DAY);
  for (const userId of ['ann', 'bea']) await noted(made, 'LogInsRefused', userId, {}, 5);
  return made;
}

const tablesOf = async ({ store }: Pick<Product, 'store'>) =>
  (await runReport(store, checkouts)).tables.map(({ name, rows }) => [name, rows]);
const left = async (made: Product) => eventsOf(await made.log(), ...TALLY_TYPES).map(({ stream }) => stream);

async function faultsOf(store: EventStore): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  await verifyLog({ store, erasure: ERASURE, sealed: null, onFault: (fault) => faults.push(fault) });
  return faults;
}

describe('a tally', () => {
  it('is written once, however often its command is repeated', async () => {
    const made = product();
    const at = made.now();
    const event: TallyEvent = { type: 'LogInsRefused', data: { userId: 'ann', count: 4, since: at, until: at } };
    for (let nth = 0; nth < 3; nth += 1) await recordTally(made.context('the same command'), event);
    expect(await made.types('refused-log-ins-')).toEqual(['LogInsRefused']);
  });

  it('of a deleted account is dropped', async () => {
    const made = product();
    await deleteTalliesOf(made.context(), 'ann');
    await ranOut(made, 'ann');
    expect(await made.log()).toEqual([]);
  });
});

describe('old tallies', () => {
  it('are deleted by whole months, and the sums of their days stay', async () => {
    const made = await twoMonths();
    const before = await tablesOf(made);
    made.pass(85 * DAY);
    // The first month ended 90 days ago, the second one did not.
    const { done, kept } = await sweepOf(made).run(null, still);
    expect(done).toBe(4);
    expect(await left(made)).toEqual(['refused-log-ins-202604-ann', 'refused-log-ins-202604-bea']);
    expect(await tablesOf(made)).toEqual(before);
    const sums = eventsOf(await made.log(), 'TalliesSummed');
    expect(sums.map(({ data }) => data.month)).toEqual(['202603']);
    expect(JSON.stringify(sums.map(({ data }) => data))).not.toMatch(/ann|bea/);
    expect(await faultsOf(made.store)).toEqual([]);
    expect(await sweepOf(made).run(kept, still)).toEqual({ done: 0, kept });
    made.pass(30 * DAY);
    expect(await sweepOf(made).run(kept, still)).toMatchObject({ done: 2 });
    expect(await left(made)).toEqual([]);
    expect(await tablesOf(made)).toEqual(before);
    expect(await faultsOf(made.store)).toEqual([]);
  });

  it('are not deleted before, and need nothing to be there', async () => {
    const none = product();
    expect(await sweepOf(none).run(null, still)).toEqual({ done: 0, kept: START });
    const made = await twoMonths();
    made.pass(70 * DAY);
    expect(await sweepOf(made).run(null, still)).toMatchObject({ done: 0 });
    expect(await left(made)).toHaveLength(6);
  });

  it('are all found where two months overlap in the log', async () => {
    const made = product();
    made.pass(21 * DAY + 11 * 60 + 30);
    const lateMarch = made.now();
    made.pass(60);
    await noted(made, 'LogInsRefused', 'ann');
    await noted(made, 'LogInsRefused', 'bea', { since: lateMarch });
    expect(await left(made)).toEqual(['refused-log-ins-202604-ann', 'refused-log-ins-202603-bea']);
    made.pass(100 * DAY);
    const { kept } = await sweepOf(made).run(null, still);
    expect(await left(made)).toEqual(['refused-log-ins-202604-ann']);
    made.pass(30 * DAY);
    await sweepOf(made).run(kept, still);
    expect(await left(made)).toEqual([]);
    expect(eventsOf(await made.log(), 'TalliesSummed')).toHaveLength(2);
  });

  it('are summed once, wherever the process dies', async () => {
    const expected = await tablesOf(await twoMonths());
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await twoMonths();
      made.pass(85 * DAY);
      await orCrash(sweepOf(made, breaking(made.store)).run(null, still));
      expect(await tablesOf(made)).toEqual(expected);
      await sweepOf(made).run(null, still);
      expect(await left(made)).toHaveLength(2);
      expect(await tablesOf(made)).toEqual(expected);
    });
    expect(deaths).toBeGreaterThan(5);
  });

  it('of an account that is deleted before their month is, are summed with it', async () => {
    const made = await twoMonths();
    const before = await tablesOf(made);
    await deleteTalliesOf(made.context(), 'bea');
    expect(await tablesOf(made)).toEqual(before);
    made.pass(85 * DAY);
    await sweepOf(made).run(null, still);
    expect(await tablesOf(made)).toEqual(before);
  });
});

describe('the tallies of an account', () => {
  it('are deleted with it, and their sums name nobody', async () => {
    const made = await twoMonths();
    const before = await tablesOf(made);
    await deleteTalliesOf(made.context(), 'ann');
    expect((await left(made)).filter((stream) => stream.endsWith('-ann'))).toEqual([]);
    const [sums] = eventsOf(await made.log(), 'TalliesSummed');
    expect(JSON.stringify(sums?.data)).not.toContain('ann');
    expect(await tablesOf(made)).toEqual(before);
    await deleteTalliesOf(made.context(), 'ann');
    expect(eventsOf(await made.log(), 'TalliesSummed')).toHaveLength(1);
    expect(await faultsOf(made.store)).toEqual([]);
  });

  it('are summed once, wherever the process dies', async () => {
    const expected = await tablesOf(await twoMonths());
    const deaths = await atEveryCrash(async (breaking) => {
      const made = await twoMonths();
      await orCrash(deleteTalliesOf(made.context(undefined, breaking(made.store)), 'ann'));
      await deleteTalliesOf(made.context(), 'ann');
      expect((await left(made)).filter((stream) => stream.endsWith('-ann'))).toEqual([]);
      expect(await tablesOf(made)).toEqual(expected);
    });
    expect(deaths).toBeGreaterThan(5);
  });

  it('are not summed again where the month has been, though not all of it was deleted', async () => {
    const made = await twoMonths();
    const before = await tablesOf(made);
    made.pass(85 * DAY);
    const stopped = new AbortController();
    const store: EventStore = Object.assign(Object.create(made.store), {
      delete: async (stream: string) => {
        stopped.abort();
        await made.store.delete(stream);
      },
    });
    await sweepOf(made, store).run(null, stopped.signal);
    expect(await left(made)).toHaveLength(5);
    await deleteTalliesOf(made.context(), 'bea');
    await sweepOf(made).run(null, still);
    expect(await tablesOf(made)).toEqual(before);
  });
});

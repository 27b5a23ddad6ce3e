import { describe, expect, it } from 'vitest';
import { deleteTalliesOf } from '../../../src/commands/tally/sumTallies.ts';
import { eventsOf } from '../../../src/domain/stored/eventOf.ts';
import { START } from '../../../src/eventStore/eventStore.ts';
import { atEveryCrash, orCrash, product } from '../../given/commands.ts';
import { DAY, faultsOf, left, noted, sweepOf, tablesOf, twoMonths } from '../../given/tallies.ts';
import { still } from '../../given/work/following.ts';

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

/** Tallies in the log: written once, and deleted with their account, which leaves sums. */
import { describe, expect, it } from 'vitest';
import { recordTally } from '../../../src/commands/tally/recordTally.ts';
import { deleteTalliesOf } from '../../../src/commands/tally/sumTallies.ts';
import { eventsOf } from '../../../src/domain/stored/eventOf.ts';
import type { TallyEvent } from '../../../src/domain/tally/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { atEveryCrash, orCrash, product } from '../../given/commands.ts';
import { DAY, faultsOf, left, ranOut, sweepOf, tablesOf, twoMonths } from '../../given/tallies.ts';
import { still } from '../../given/work/following.ts';

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

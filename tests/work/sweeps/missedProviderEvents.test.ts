/** Events that no webhook delivered are found in the provider's own list. */
import { describe, expect, it } from 'vitest';
import { receiveProviderEvent } from '../../../src/commands/billing/receiveProviderEvent.ts';
import { createMissedProviderEvents } from '../../../src/work/sweeps/missedProviderEvents.ts';
import { ofPayment, providerEvent, providerStandIn } from '../../given/billing/providerStandIn.ts';
import { atEveryCrash, orCrash, product } from '../../given/commands.ts';
import { still } from '../../given/work/following.ts';

const DAY = 24 * 60;
const at = (daysAgo: number, minutes = 0) =>
  new Date(Date.parse('2026-03-10T12:00:00.000Z') - (daysAgo * DAY + minutes) * 60_000).toISOString();
const event = (id: string, createdAt: string) => providerEvent(id, ofPayment(`pi_${id}`), createdAt);

describe('events of the payment provider', () => {
  it('that were missed in the last thirty days are stored as from a webhook, once each; later runs go a day back', async () => {
    const made = product();
    const { provider, listed } = providerStandIn('ann');
    const sweep = createMissedProviderEvents({ context: made.context, payments: provider });
    listed.push(
      event('old', at(31)),
      event('missed', at(29)),
      event('known', at(1)),
      event('onItsWay', at(0, 5)),
      providerEvent('unused', null, at(2)),
    );
    await receiveProviderEvent(made.context(), event('known', at(1)), 'webhook');
    const first = await sweep.run(null, still);
    expect(first).toEqual({ done: 1, kept: made.now(), passedOver: [] });
    expect(await made.types('stripe-missed')).toEqual(['ProviderEventReceived']);
    expect((await made.log()).map(({ stream, data }) => [stream, (data as { source?: string }).source])).toEqual([
      ['stripe-known', 'webhook'],
      ['stripe-missed', 'sweep'],
    ]);
    made.pass(60);
    listed.push(event('tooLate', at(2)), event('listedLate', at(0, 20 * 60)));
    const second = await sweep.run(first.kept, still);
    expect(second.done).toBe(2);
    expect(await made.types('stripe-tooLate')).toEqual([]);
    expect(await sweep.run(second.kept, still)).toMatchObject({ done: 0 });
  });

  it('are not fetched where nothing is sold, nor while the provider is down: the next run begins where this one did', async () => {
    const made = product();
    const { provider, setAway } = providerStandIn('ann');
    expect(await createMissedProviderEvents({ context: made.context, payments: null }).run('kept', still)).toEqual({
      done: 0,
      kept: 'kept',
    });
    setAway(true);
    await expect(
      createMissedProviderEvents({ context: made.context, payments: provider }).run(null, still),
    ).rejects.toThrow('away');
    expect(await made.log()).toEqual([]);
  });

  it('are all found by the run after a crash', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const made = product();
      const { provider, listed } = providerStandIn('ann');
      listed.push(event('one', at(3)), event('two', at(2)));
      const broken = breaking(made.store);
      const dying = createMissedProviderEvents({ context: (cause) => made.context(cause, broken), payments: provider });
      await orCrash(dying.run(null, still));
      await createMissedProviderEvents({ context: made.context, payments: provider }).run(null, still);
      expect(await made.types('stripe-')).toEqual(['ProviderEventReceived', 'ProviderEventReceived']);
      await made.store.close();
    });
    expect(deaths).toBe(4);
  });
});

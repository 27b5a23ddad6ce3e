/**
 * Damage to the causes of money in a bill: a payment reported to the worker needs its provider event, one that a
 * browser confirmed does not.
 */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiveProviderEvent } from '../../../src/commands/billing/receiveProviderEvent.ts';
import { recordPayment } from '../../../src/commands/billing/recordPayment.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import { providerEventStream } from '../../../src/domain/providerEvent/events.ts';
import { PAYMENTS_WORKER } from '../../../src/domain/providerEvent/providerEvent.ts';
import { applyProviderEvent } from '../../../src/workers/providerEvent.ts';
import { ofPayment, providerEvent, providerStandIn } from '../../given/billing/providerStandIn.ts';
import { product, userOf, withAdmin } from '../../given/commands.ts';
import { type LogFolder, logFolder } from '../../given/stores/logFiles.ts';

let folder: LogFolder;
let ann: string;

beforeAll(async () => {
  folder = logFolder();
  const { store } = folder.open('events.db');
  const made = await withAdmin(product(store));
  ann = await userOf(made);
  const stand = providerStandIn(ann);
  for (const id of ['pi_reported', 'pi_confirmed']) stand.pay(id);
  await receiveProviderEvent(made.context(), providerEvent('evt_1', ofPayment('pi_reported')), 'webhook');
  const cause = (await made.log()).findLast(({ type }) => type === 'ProviderEventReceived') ?? { id: '' };
  const context = (given: { readonly id: string } | null) => made.context(given, store, PAYMENTS_WORKER);
  await applyProviderEvent(
    { context, now: made.now, payments: stand.provider, ownerOf: async () => null },
    { eventId: 'evt_1', cause },
    () => true,
  );
  const confirmed = await stand.provider.payment('pi_confirmed');
  if (confirmed) await recordPayment(made.context(), confirmed);
  expect(await made.types(billingStream(ann))).toEqual(['FundsAdded', 'FundsAdded']);
  await store.close();
});
afterAll(() => folder.remove());

it('nothing is found while the provider event is there', async () => {
  expect((await folder.verify('events.db')).found).toEqual([]);
});

it('a removed provider event is found at the payment that it reported, and only there', async () => {
  const copy = folder.damaged('events.db', (db) =>
    db.prepare('DELETE FROM events WHERE stream = ?').run(providerEventStream('evt_1')),
  );
  expect((await folder.verify(copy)).found).toEqual([
    expect.objectContaining({
      check: 'references',
      stream: billingStream(ann),
      text: 'The event of the payment provider that reported it is not in the log.',
    }),
  ]);
});

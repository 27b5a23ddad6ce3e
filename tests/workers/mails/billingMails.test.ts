/** Emails about money: recipients, content, that each is sent once, and that outdated ones are not sent. */

import { describe, expect, it } from 'vitest';
import { unsubscribe } from '../../../src/commands/account/setMailChoice.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { recordSubscription } from '../../../src/commands/billing/recordSubscription.ts';
import { handle } from '../../../src/commands/handle.ts';
import { mailOf } from '../../../src/commands/mail/mailOf.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import type { RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import type { Mail } from '../../../src/integrations/mailer/mailer.ts';
import { mailRule } from '../../../src/work/kinds/mail.ts';
import { bought, periodStart, subscribed } from '../../given/billing/facts.ts';
import { providerStandIn } from '../../given/billing/providerStandIn.ts';
import { withAdmin } from '../../given/commands.ts';
import { deliver, deliveryDeps, lastEvent, receivingMailer, tokenOf } from '../../given/work/mailDelivery.ts';

async function open(asksProof = false) {
  const made = await withAdmin();
  const { userId: ann } = await signUp(made.context(), {
    email: ADDRESS,
    name: 'Ann',
    passwordHash: 'hash',
    asksProof,
  });
  const stand = providerStandIn(ann);
  const { mailer, sent } = receivingMailer();
  const deps = { ...deliveryDeps(made, mailer), payments: stand.provider };
  const tell = (subscription: ProviderSubscription) =>
    recordSubscription(made.context(), { userId: ann, subscription: { ...subscription, asOf: made.now() } }).then(() =>
      made.pass(1),
    );
  const buy = () =>
    handle(made.context(), billingDecider, billingStream(ann), {
      ...bought('pi_1', { quantity: 3, amount: 12_750, funds: 15_000 }),
      userId: ann,
    });
  const mail = async (type: string) => deliver(made, deps, await lastEvent(made, type));
  return { made, ann, stand, sent, tell, buy, mail };
}

const ADDRESS = 'ann@example.com';

describe('a receipt', () => {
  it('states the amount and the purchase, once', async () => {
    const { sent, buy, mail } = await open();
    await buy();
    expect(await mail('FundsAdded')).toBe('sent');
    expect(await mail('FundsAdded')).toBe('sent');
    const [only] = sent as [Mail];
    expect(sent).toHaveLength(1);
    expect([only.to, only.subject]).toEqual([ADDRESS, 'Your SEO Workbench receipt: $127.50']);
    expect(only.text).toContain('3 reports. We added $150.00 to your funds.');
    expect(only.html).toContain('$127.50');
    expect(only.headers).toEqual({});
  });

  it('of a plan names the invoice; if nothing was paid there is none', async () => {
    const { made, stand, sent, tell, mail } = await open();
    stand.subscribe(subscribed());
    await tell(subscribed());
    expect(await mail('SubscriptionStarted')).toBe('sent');
    expect(sent[0]?.text).toContain('Professional plan, paid until April 5, 2026.');
    expect(sent[0]?.text).toContain('Invoice A-0001');
    await tell(subscribed({ tier: 'tier3' }));
    expect(mailOf(await lastEvent(made, 'SubscriptionChanged'))).toBeNull();
  });

  it('of a plan recorded by an earlier version asks the provider for the invoice number', async () => {
    const { stand, sent, tell, mail } = await open();
    stand.subscribe(subscribed());
    const { number: _, ...invoice } = subscribed().invoice!;
    await tell({ ...subscribed(), invoice });
    expect(await mail('SubscriptionStarted')).toBe('sent');
    expect(sent[0]?.text).toContain('Invoice A-0001');
  });

  it('for an unconfirmed address goes to the billing address, and is the only email', async () => {
    const { stand, sent, tell, buy, mail } = await open(true);
    await buy();
    expect(await mail('FundsAdded')).toBe('not_confirmed');
    stand.pay('pi_sub_1_0', { purpose: 'subscription' });
    await tell(subscribed());
    expect(await mail('SubscriptionStarted')).toBe('sent');
    expect(sent.map(({ to }) => to)).toEqual(['billing@example.com']);
    await tell(subscribed({ nth: 1, paid: false, status: 'past_due' }));
    expect(await mail('SubscriptionPaymentFailed')).toBe('not_confirmed');
  });
});

describe('a failed payment', () => {
  it('is reported with what to do, unless it was paid meanwhile', async () => {
    const { made, sent, tell, mail } = await open();
    await tell(subscribed());
    await tell(subscribed({ nth: 1, paid: false, status: 'past_due' }));
    expect(await mail('SubscriptionPaymentFailed')).toBe('sent');
    expect(sent[0]?.subject).toBe('Your payment for the Professional plan didn’t go through');
    expect(sent[0]?.text).toContain('We couldn’t charge $79.00');
    expect(sent[0]?.text).toContain('https://seo.example.com/account/upgrade');
    await tell(subscribed({ nth: 1 }));
    await tell(subscribed({ nth: 2, paid: false, status: 'past_due' }));
    const failed = await lastEvent(made, 'SubscriptionPaymentFailed');
    await tell(subscribed({ nth: 2 }));
    expect(failed.data).toMatchObject({ invoiceId: 'in_sub_1_2' });
    expect(await mail('SubscriptionPaymentFailed')).toBe('nothing_to_tell');
  });
});

describe('the end of a plan', () => {
  const dueAt = (event: RecordedEvent) => mailRule.opens.SubscriptionCancelScheduled?.(event)?.dueAt;

  it('is announced three days before, for the last cancellation only, and the notice can be turned off', async () => {
    const { made, sent, tell, mail } = await open();
    const cancelsAt = periodStart(1);
    await tell(subscribed());
    await tell(subscribed({ cancelsAt }));
    expect(dueAt(await lastEvent(made, 'SubscriptionCancelScheduled'))).toBe('2026-04-02T00:00:00.000Z');
    await tell(subscribed());
    expect(await mail('SubscriptionCancelScheduled')).toBe('nothing_to_tell');
    await tell(subscribed({ cancelsAt }));
    expect(await mail('SubscriptionCancelScheduled')).toBe('sent');
    expect(sent[0]?.subject).toBe('Your Professional plan ends on April 5, 2026');
    await unsubscribe(made.context(), { token: tokenOf(sent[0]) });
    await tell(subscribed());
    made.pass(27 * 24 * 60);
    await tell(subscribed({ cancelsAt }));
    const near = await lastEvent(made, 'SubscriptionCancelScheduled');
    expect(dueAt(near)).toBe(near.metadata.at);
    expect(await mail('SubscriptionCancelScheduled')).toBe('not_wanted');
  });

  it('is reported when it has come, unless the user has another plan by then', async () => {
    const { sent, tell, mail } = await open();
    await tell(subscribed());
    await tell(subscribed({ status: 'canceled', endedAt: '2026-03-11T00:00:00.000Z' }));
    expect(await mail('SubscriptionEnded')).toBe('sent');
    expect(sent[0]?.text).toContain('Your Professional plan ended on March 11, 2026');
    await tell(subscribed({ subscriptionId: 'sub_2' }));
    await tell(subscribed({ subscriptionId: 'sub_3', tier: 'tier3' }));
    await tell(subscribed({ subscriptionId: 'sub_2', status: 'canceled', endedAt: '2026-03-11T00:00:00.000Z' }));
    expect(await mail('SubscriptionEnded')).toBe('nothing_to_tell');
  });
});

/** Hosted pages, used as a browser uses them. */
import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GivenSandbox, givenSandbox, refusalOf } from '../given/paymentSandbox.ts';

let sandbox: GivenSandbox;
let customer: Stripe.Customer;
beforeEach(async () => {
  sandbox = await givenSandbox();
  customer = await sandbox.stripe.customers.create({ email: 'ada@example.com' });
});
afterEach(() => sandbox.end());

const CARD = { name: 'Ada', number: '4242 4242 4242 4242', expires: '12/34', cvc: '123' };

const page = async (url: string): Promise<string> => (await fetch(url, { redirect: 'manual' })).text();

/** Submits the page's form with its hidden fields. */
async function send(
  url: string,
  fields: Record<string, string>,
  shown?: string,
): Promise<{ status: number; location: string | null; text: string }> {
  const token = /name="token" value="([^"]+)"/.exec(shown ?? (await page(url)))?.[1] ?? '';
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ token, ...fields }),
    redirect: 'manual',
  });
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

const checkout = (params: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  sandbox.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    client_reference_id: 'u-1',
    line_items: [{ price: 'price_tier2_monthly', quantity: 1 }],
    success_url: 'http://localhost:9/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://localhost:9/plans',
    ...params,
  });

describe('checkout', () => {
  it('sells a subscription, and redirects back', async () => {
    const session = await checkout({ subscription_data: { metadata: { userId: 'u-1' } } });
    const shown = await page(session.url ?? '');
    for (const text of [
      'Payment sandbox: no real card is charged',
      '4000 0000 0000 0002',
      '$79.00',
      'Professional',
      '<html lang="en">',
      'prefers-color-scheme',
    ])
      expect(shown).toContain(text);
    const sent = await send(session.url ?? '', { do: 'pay', ...CARD });
    expect(sent).toMatchObject({ status: 303, location: `http://localhost:9/done?session_id=${session.id}` });
    const done = await sandbox.stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription', 'invoice', 'line_items'],
    });
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      client_reference_id: 'u-1',
      url: null,
      subscription: { status: 'active', metadata: { userId: 'u-1' } },
      invoice: { amount_paid: 7_900 },
    });
    const { data: saved } = await sandbox.stripe.customers.listPaymentMethods(customer.id);
    expect(saved).toMatchObject([{ allow_redisplay: 'limited' }]);
    expect(done.line_items?.data[0]).toMatchObject({
      amount_total: 7_900,
      quantity: 1,
      price: { id: 'price_tier2_monthly' },
    });
    expect(await sandbox.eventTypes()).toContain('checkout.session.completed');
    expect((await send(session.url ?? '', { do: 'pay', ...CARD }, shown)).location).toContain('/done');
    expect((await sandbox.stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
  });

  it('explains why a card was declined, and changes nothing', async () => {
    const session = await checkout();
    const refused = await send(session.url ?? '', { do: 'pay', ...CARD, number: '4000000000000002' });
    expect([refused.status, refused.text.includes('Your card was declined.')]).toEqual([200, true]);
    const poor = await send(session.url ?? '', { do: 'pay', ...CARD, number: '4000000000000341' });
    expect(poor.text).toContain('role="alert"');
    expect((await sandbox.stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([]);
    expect((await send(session.url ?? '', { do: 'pay', ...CARD })).status).toBe(303);
  });

  it('asks the cardholder to confirm first', async () => {
    const session = await checkout();
    const url = session.url ?? '';
    const asked = await send(url, { do: 'pay', ...CARD, number: '4000002500003155' });
    expect(asked.text).toContain('Complete authentication');
    expect((await send(url, { do: 'unproven' }, asked.text)).text).toContain('unable to authenticate');
    const again = await send(url, { do: 'pay', ...CARD, number: '4000002500003155' });
    expect((await send(url, { do: 'proven' }, again.text)).status).toBe(303);
    await sandbox.advance(28);
    expect((await sandbox.stripe.subscriptions.list({ customer: customer.id })).data[0]?.status).toBe('active');
  });

  it('accepts codes and delayed payments', async () => {
    const coupon = await sandbox.stripe.coupons.create({ amount_off: 1_000, currency: 'usd', duration: 'once' });
    await sandbox.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'TENOFF' });
    const session = await checkout({
      mode: 'payment',
      line_items: [{ price: 'price_report', quantity: 2 }],
      allow_promotion_codes: true,
    });
    expect((await send(session.url ?? '', { do: 'code', code: 'nonsense' })).text).toContain('This code is invalid.');
    expect((await send(session.url ?? '', { do: 'code', code: 'tenoff' })).text).toContain('$90.00');
    await send(session.url ?? '', { do: 'pay', ...CARD, number: '4000000000001000' });
    expect(await sandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      amount_total: 9_000,
    });
    await sandbox.control('clock', { by: 31 });
    expect(await sandbox.stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] })).toMatchObject({
      payment_status: 'paid',
      payment_intent: { amount_received: 9_000 },
    });
    expect(await sandbox.eventTypes()).toContain('checkout.session.async_payment_succeeded');
  });

  it('is refused where Stripe refuses it, and expires after a day', async () => {
    expect(await refusalOf(checkout({ allow_promotion_codes: true, discounts: [{ coupon: 'x' }] }))).toMatchObject({
      statusCode: 400,
    });
    expect(await refusalOf(checkout({ mode: 'payment' }))).toMatchObject({ param: 'mode' });
    expect(await refusalOf(checkout({ success_url: 'javascript:alert(1)' }))).toMatchObject({ param: 'success_url' });
    const session = await checkout();
    await sandbox.advance(1);
    expect((await sandbox.stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    expect((await fetch(session.url ?? '')).status).toBe(404);
  });

  it('rejects a form from another page', async () => {
    const { url } = await checkout();
    const forged = await fetch(url ?? '', {
      method: 'POST',
      body: new URLSearchParams({ token: 'guess', do: 'pay', ...CARD }),
      redirect: 'manual',
    });
    expect(forged.status).toBe(404);
    const foreign = await fetch(url ?? '', {
      method: 'POST',
      headers: { origin: 'http://evil.example' },
      body: '',
      redirect: 'manual',
    });
    expect(foreign.status).toBe(403);
  });
});

describe('the billing portal', () => {
  async function open(): Promise<{ url: string; subscription: string }> {
    await send((await checkout()).url ?? '', { do: 'pay', ...CARD });
    const [subscription] = (await sandbox.stripe.subscriptions.list({ customer: customer.id })).data;
    const session = await sandbox.stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'http://localhost:9/account',
    });
    return { url: session.url, subscription: subscription?.id ?? '' };
  }

  it('cancels and resumes a subscription', async () => {
    const { url, subscription } = await open();
    const shown = await page(url);
    for (const text of ['Professional', 'ending in 4242', '$79.00', 'http://localhost:9/account'])
      expect(shown).toContain(text);
    expect((await send(url, { do: 'cancel', subscription })).location).toBe(url);
    expect((await sandbox.stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(true);
    await send(url, { do: 'keep', subscription });
    expect((await sandbox.stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(false);
  });

  it('changes the card, and pays open invoices', async () => {
    const { url, subscription } = await open();
    expect((await send(url, { do: 'card', ...CARD, number: '4000000000009995' })).text).toContain('insufficient funds');
    await send(url, { do: 'card', ...CARD, number: '4000000000000341' });
    await sandbox.advance(28);
    expect((await sandbox.stripe.subscriptions.retrieve(subscription)).status).toBe('past_due');
    const again = (await sandbox.stripe.billingPortal.sessions.create({ customer: customer.id })).url;
    await send(again, { do: 'card', ...CARD, number: '5555555555554444' });
    const invoice = String((await sandbox.stripe.subscriptions.retrieve(subscription)).latest_invoice);
    await send(again, { do: 'pay', invoice });
    expect((await sandbox.stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    expect(await page(`${sandbox.url}/invoices/${invoice}`)).toContain('$79.00');
  });

  it('redirects to the bank to confirm an open invoice, and back', async () => {
    const { url, subscription } = await open();
    const { id: card } = await sandbox.stripe.paymentMethods.attach('pm_card_threeDSecure2Required', {
      customer: customer.id,
    });
    const [item] = (await sandbox.stripe.subscriptions.update(subscription, { default_payment_method: card })).items
      .data;
    const changed = await sandbox.stripe.subscriptions.update(subscription, {
      items: [{ id: item?.id ?? '', price: 'price_tier3_monthly' }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
    });
    const { location: bank } = await send(url, { do: 'pay', invoice: String(changed.latest_invoice) });
    expect(bank).toContain('/challenge/pi_');
    const form = {
      token: new URL(bank ?? '').searchParams.get('payment_intent_client_secret') ?? '',
      answer: 'complete',
    };
    const answered = await fetch(bank ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    expect(answered.headers.get('location')).toContain(url);
    const paid = await sandbox.stripe.subscriptions.retrieve(subscription);
    expect(paid.items.data[0]?.price.id).toBe('price_tier3_monthly');
    expect(paid.pending_update).toBeNull();
  });

  it('opens only with its key, for its own customer, for a day', async () => {
    const { url, subscription } = await open();
    expect((await fetch(url.replace(/key=.*/, 'key=guess'))).status).toBe(404);
    const stranger = await sandbox.stripe.customers.create();
    const theirs = await sandbox.stripe.billingPortal.sessions.create({ customer: stranger.id });
    expect((await send(theirs.url, { do: 'cancel', subscription })).status).toBe(404);
    expect((await sandbox.stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(false);
    await sandbox.advance(2);
    expect((await fetch(url)).status).toBe(404);
  });
});

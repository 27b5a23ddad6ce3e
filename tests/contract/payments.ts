/**
 * The contract of every implementation of the payments port, on the clock of `given.sandbox`, so that nothing waits.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  PaymentFault,
  type PaymentFaultCode,
  type ProviderEvent,
  type ProviderLine,
  type ProviderPlan,
} from '../../src/integrations/payments/payments.ts';
import type { GivenPayments } from '../given/payments.ts';

export async function faultOf(
  call: Promise<unknown>,
): Promise<{ readonly fault: PaymentFaultCode; readonly message: string }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PaymentFault)) throw new Error(`no PaymentFault: ${String(error)}`);
  return { fault: error.fault, message: error.message };
}

const URLS = {
  successUrl: 'http://localhost:3000/done?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://localhost:3000/account/upgrade',
};

export function paymentsContract(name: string, open: () => Promise<GivenPayments>): void {
  describe(`payments: ${name}`, () => {
    let given: GivenPayments;
    beforeEach(async () => {
      given = await open();
    });
    afterEach(() => given.end());

    const subscribed = async (tier = 'tier2', token?: string) => {
      const customerId = await given.customer('u-1');
      const { id } = await given.subscribe('u-1', customerId, tier, token);
      return { customerId, subscriptionId: id };
    };
    const now = async (id: string) => (await given.payments.subscription(id))?.subscription;

    describe('the products', () => {
      it('are one report and four plans', async () => {
        const { report, tiers } = await given.payments.catalogue();
        expect(report).toMatchObject({ amount: 5_000, currency: 'usd' });
        expect(tiers.map(({ tier, amount, interval }) => [tier, amount, interval])).toEqual([
          ['tier1', 2_900, 'month'],
          ['tier2', 7_900, 'month'],
          ['tier3', 19_900, 'month'],
          ['tier4', 49_900, 'month'],
        ]);
      });

      it('have codes that can be used now', async () => {
        const { stripe, payments } = given;
        await stripe.coupons.create({ id: 'off15', percent_off: 15, duration: 'once', name: 'Fifteen percent' });
        await stripe.coupons.create({ id: 'ten', amount_off: 1_000, currency: 'usd', duration: 'once' });
        await stripe.coupons.create({ id: 'euro', amount_off: 1_000, currency: 'eur', duration: 'once' });
        const make = (coupon: string, code: string, more: object = {}) =>
          stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code, ...more });
        const { id } = await make('off15', 'LAUNCH', { expires_at: 1_801_000_000 });
        await make('ten', 'TEN');
        await make('euro', 'EURO');
        await make('off15', 'TEN', { customer: await given.customer('u-9') });
        await make('off15', 'FIRST', { restrictions: { first_time_transaction: true } });
        await stripe.promotionCodes.update((await make('off15', 'GONE')).id, { active: false });
        expect(await payments.promotionCode(' launch ')).toEqual({
          promotionCodeId: id,
          couponId: 'off15',
          limits: null,
          code: 'LAUNCH',
          percentOff: 15,
          amountOff: null,
          currency: null,
          description: 'Fifteen percent',
          expiresAt: '2027-01-26T21:46:40.000Z',
        });
        expect(await payments.promotionCode('TEN')).toMatchObject({
          percentOff: null,
          amountOff: 1_000,
          currency: 'usd',
          expiresAt: null,
        });
        const own = await make('off15', 'OWN', { customer: await given.customer('u-8') });
        expect(await payments.planCode({ code: ' own ', customerId: await given.customer('u-8') })).toMatchObject({
          promotionCodeId: own.id,
        });
        expect(await payments.planCode({ code: 'OWN', customerId: await given.customer('u-9') })).toBeNull();
        for (const none of ['EURO', 'FIRST', 'GONE', 'NEVER', '', 'a b', 'x'.repeat(600)])
          expect(await payments.promotionCode(none), none).toBeNull();
      });
    });

    it('a code with a limited number of uses says how many, and how many plans have used', async () => {
      const { stripe, payments } = given;
      await stripe.coupons.create({ id: 'off90', percent_off: 90, duration: 'once' });
      await stripe.coupons.create({ id: 'twice', percent_off: 90, duration: 'once', max_redemptions: 2 });
      const make = (coupon: string, code: string, more: object = {}) =>
        stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon }, code, ...more });
      const five = await make('off90', 'FIVE', { max_redemptions: 5 });
      const twice = await make('twice', 'TWICE');
      const free = await make('off90', 'FREELY');
      const customerId = await given.customer('u-1');
      await given.saveCard(customerId);
      await stripe.subscriptions.create({
        customer: customerId,
        items: [{ price: 'price_tier1_monthly' }],
        discounts: [{ promotion_code: five.id }],
      });
      const counted = [
        { code: five, couponId: 'off90', limits: { code: { max: 5, used: 1 }, coupon: null } },
        { code: twice, couponId: 'twice', limits: { code: null, coupon: { max: 2, used: 0 } } },
        { code: free, couponId: 'off90', limits: null },
      ];
      for (const { code, ...of } of counted) {
        expect(await payments.promotionCode(code.code), code.code).toMatchObject({ promotionCodeId: code.id, ...of });
        expect(await payments.planCode({ code: code.code, customerId }), code.code).toEqual({
          promotionCodeId: code.id,
          code: code.code,
          ...of,
        });
      }
      await stripe.subscriptions.create({
        customer: customerId,
        items: [{ price: 'price_tier1_monthly' }],
        discounts: [{ coupon: 'twice' }],
      });
      expect(await payments.promotionCode('TWICE')).toMatchObject({ limits: { coupon: { max: 2, used: 1 } } });
    });

    describe('a customer', () => {
      it('is created once, even when it is requested again much later', async () => {
        const { payments } = given;
        const wish = { userId: 'u-1', email: 'ada@example.com', name: 'Ada', key: 'k-1' };
        const { customerId } = await payments.makeCustomer(wish);
        expect(await payments.makeCustomer(wish)).toEqual({ customerId });
        expect(await payments.makeCustomer({ ...wish, key: 'k-2' })).toEqual({ customerId });
        expect((await payments.makeCustomer({ ...wish, userId: 'u-2', key: 'k-3' })).customerId).not.toBe(customerId);
        expect(await payments.customer(customerId)).toEqual({
          customerId,
          name: 'Ada',
          email: 'ada@example.com',
          address: null,
        });
      });

      it('has the name and address of its latest paid purchase, until it gets its own', async () => {
        const { payments, stripe } = given;
        const customerId = await given.customer('u-1');
        const { clientSecret } = await given.begin('u-1', customerId);
        expect((await given.confirm(clientSecret, '4000000000000002')).status).toBe(402);
        expect(await payments.customer(customerId)).toMatchObject({ name: 'Ada', address: null });
        expect((await given.confirm(clientSecret)).status).toBe(200);
        await given.subscribe('u-1', customerId);
        const billed = {
          line1: '1 Main Street',
          line2: null,
          city: null,
          state: null,
          postalCode: null,
          country: 'US',
        };
        expect(await payments.customer(customerId)).toMatchObject({
          name: 'Ada Lovelace',
          email: 'u-1@example.com',
          address: billed,
        });
        await stripe.customers.update(customerId, { address: { line1: '2 Elm Street', country: 'US' } });
        expect(await payments.customer(customerId)).toMatchObject({
          name: 'Ada',
          address: { ...billed, line1: '2 Elm Street' },
        });
      });

      it('is offered its saved cards: each once, none saved for a plan, and none after half an hour', async () => {
        const { payments, stripe, sandbox } = given;
        const customerId = await given.customer('u-1');
        const { clientSecret } = await payments.openCustomerSession({ customerId, key: 'k-1' });
        const offered = () => given.savedCards(clientSecret);
        expect(await offered()).toEqual([]);
        await given.buy('u-1', customerId);
        await given.buy('u-1', customerId);
        await given.saveCard(customerId, 'pm_card_mastercard');
        const forPlan = { number: '378282246310005', exp_month: 12, exp_year: 2034 };
        const { id } = await stripe.paymentMethods.create({ type: 'card', card: forPlan, allow_redisplay: 'limited' });
        await stripe.paymentMethods.attach(id, { customer: customerId });
        await given.buy('u-2', await given.customer('u-2'));
        expect(await offered()).toMatchObject([
          { card: { brand: 'mastercard', last4: '4444' } },
          { card: { brand: 'visa', last4: '4242' } },
        ]);
        const [saved] = (await offered()) ?? [];
        const next = await given.begin('u-1', customerId);
        expect((await given.confirmSaved(next.clientSecret, saved?.id ?? '')).status).toBe(200);
        const foreign = await given.begin('u-2', await given.customer('u-2'));
        expect((await given.confirmSaved(foreign.clientSecret, saved?.id ?? '')).status).toBe(400);
        await stripe.paymentMethods.detach(saved?.id ?? '');
        expect(await offered()).toHaveLength(1);
        await sandbox.advance(1 / 48);
        expect(await offered()).toBeNull();
        expect(await faultOf(payments.openCustomerSession({ customerId: 'cus_nobody', key: 'k-2' }))).toMatchObject({
          fault: 'NOT_FOUND',
        });
      });

      it('is erased with its data', async () => {
        const { payments } = given;
        const { customerId, subscriptionId } = await subscribed();
        await payments.forgetCustomer(customerId);
        await payments.forgetCustomer(customerId);
        await payments.forgetCustomer('cus_nobody');
        expect(await payments.customer(customerId)).toBeNull();
        expect(await payments.customer('cus_nobody')).toBeNull();
        expect(await now(subscriptionId)).toMatchObject({ status: 'canceled' });
      });
    });

    describe('a payment', () => {
      it('is open, paid, and refunded in parts', async () => {
        const { payments, stripe } = given;
        const customerId = await given.customer('u-1');
        const { paymentIntentId, clientSecret } = await given.begin('u-1', customerId, 3);
        const as = { paymentIntentId, customerId, userId: 'u-1', purpose: 'funds', amount: 15_000, currency: 'usd' };
        const agreed = { quantity: 3, funds: 15_000, discountCode: null, codeUse: null };
        expect(await payments.payment(paymentIntentId)).toEqual({
          ...as,
          agreed,
          status: 'open',
          createdAt: '2026-01-31T12:00:00.000Z',
          billingEmail: 'u-1@example.com',
          refunds: [],
          disputes: [],
        });
        expect((await given.confirm(clientSecret)).status).toBe(200);
        expect(await payments.payment(paymentIntentId)).toMatchObject({ ...as, status: 'succeeded', refunds: [] });
        const one = await stripe.refunds.create({ payment_intent: paymentIntentId, amount: 4_000 });
        const two = await stripe.refunds.create({ payment_intent: paymentIntentId, amount: 1_000 });
        expect((await payments.payment(paymentIntentId))?.refunds).toEqual([
          { refundId: one.id, amount: 4_000, at: '2026-01-31T12:00:00.000Z' },
          { refundId: two.id, amount: 1_000, at: '2026-01-31T12:00:00.000Z' },
        ]);
      });

      it('is disputed, and the dispute won', async () => {
        const { payments, sandbox } = given;
        const paymentIntentId = await given.buy('u-1', await given.customer('u-1'));
        const dispute = await sandbox.control<{ id: string }>('disputes', { payment_intent: paymentIntentId });
        expect((await payments.payment(paymentIntentId))?.disputes).toMatchObject([
          { disputeId: dispute.id, amount: 5_000, status: 'open' },
        ]);
        await sandbox.control('disputes/close', { dispute: dispute.id, outcome: 'won' });
        expect((await payments.payment(paymentIntentId))?.disputes).toMatchObject([
          { disputeId: dispute.id, status: 'won' },
        ]);
      });

      it('is created once per key', async () => {
        const wish = {
          userId: 'u-1',
          customerId: await given.customer('u-1'),
          quantity: 1,
          amount: 4_250,
          currency: 'usd',
          funds: 5_000,
          discountCode: 'OFF15',
          codeUse: null,
          billingEmail: 'bills@example.com',
          savePaymentMethod: false,
          key: 'k-1',
        };
        const first = await given.payments.startPayment(wish);
        expect(await given.payments.startPayment(wish)).toEqual(first);
        expect(await given.payments.payment(first.paymentIntentId)).toMatchObject({
          amount: 4_250,
          agreed: { quantity: 1, funds: 5_000, discountCode: 'OFF15', codeUse: null },
        });
        expect(await faultOf(given.payments.startPayment({ ...wish, amount: 50 }))).toMatchObject({ fault: 'REFUSED' });
      });

      it('of a subscription names its owner', async () => {
        const { subscriptionId } = await subscribed('tier1');
        const paymentIntentId = (await now(subscriptionId))?.invoice?.paymentIntentId ?? '';
        expect(await given.payments.payment(paymentIntentId)).toMatchObject({
          userId: 'u-1',
          purpose: 'subscription',
          status: 'succeeded',
          amount: 2_900,
          agreed: null,
        });
      });

      it('of another kind has no owner, and an unknown one is null', async () => {
        const { id } = await given.stripe.paymentIntents.create({ amount: 700, currency: 'usd' });
        expect(await given.payments.payment(id)).toMatchObject({ userId: null, agreed: null, customerId: null });
        expect(await given.payments.payment('pi_nothing')).toBeNull();
      });
    });

    describe('a subscription', () => {
      it('is bought on a page of the provider', async () => {
        const customerId = await given.customer('u-1');
        const wish = { userId: 'u-1', customerId, tier: 'tier3', promotionCodeId: null, ...URLS, key: 'k-1' } as const;
        const { url } = await given.payments.startCheckout(wish);
        expect(await given.payments.startCheckout(wish)).toEqual({ url });
        expect(url).toMatch(/^http/);
        const [session] = (await given.stripe.checkout.sessions.list({ customer: customerId })).data;
        expect(session).toMatchObject({
          url,
          client_reference_id: 'u-1',
          amount_total: 19_900,
          allow_promotion_codes: true,
        });
      });

      it('can be paid only on the page opened last', async () => {
        const customerId = await given.customer('u-1');
        const open = (key: string) =>
          given.payments.startCheckout({
            userId: 'u-1',
            customerId,
            tier: 'tier1',
            promotionCodeId: null,
            ...URLS,
            key,
          });
        await open('first');
        const { url } = await open('second');
        const { data } = await given.stripe.checkout.sessions.list({ customer: customerId });
        expect(data.map(({ status }) => status)).toEqual(['open', 'expired']);
        expect(data[0]).toMatchObject({ url });
      });

      it('has what was agreed: the list price, the codes that reduce it, and what is paid a month', async () => {
        const { stripe, payments } = given;
        const customerId = await given.customer('u-1');
        await given.saveCard(customerId);
        const code = async (id: string, more: object) => {
          await stripe.coupons.create({ id, percent_off: 50, ...more });
          return (
            await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, code: id.toUpperCase() })
          ).id;
        };
        const [lasting, first] = [
          await code('half', { duration: 'forever' }),
          await code('once', { duration: 'once' }),
        ];
        const begin = async (price: string, promotion_code: string | null = null) => {
          const { id } = await stripe.subscriptions.create({
            customer: customerId,
            items: [{ price }],
            metadata: { user_id: 'u-1' },
            ...(promotion_code === null ? {} : { discounts: [{ promotion_code }] }),
          });
          return (await payments.subscription(id))?.subscription;
        };
        const halved = { amount: 3_950, listAmount: 7_900 };
        expect(await begin('price_tier2_monthly', lasting)).toMatchObject({
          price: 7_900,
          monthly: 3_950,
          invoice: { ...halved, discounts: [{ code: 'HALF', amount: 3_950 }] },
        });
        expect(await begin('price_tier2_monthly', first)).toMatchObject({
          price: 7_900,
          monthly: 7_900,
          invoice: { ...halved, discounts: [{ code: 'ONCE', amount: 3_950 }] },
        });
        // Ten months' price for a year.
        expect(await begin('price_tier2_yearly')).toMatchObject({ tier: 'tier2', price: 79_000, monthly: 6_583 });
        const [halfInvoice] = (await payments.subscriptionsOf(customerId)).flatMap(({ subscription: { invoice } }) =>
          invoice?.discounts.some((each) => each.code === 'HALF') ? [invoice] : [],
        );
        expect((await payments.invoice(halfInvoice?.invoiceId ?? ''))?.invoice).toEqual(halfInvoice);
      });

      it('has its details', async () => {
        const { customerId, subscriptionId } = await subscribed('tier2');
        const told = await given.payments.subscription(subscriptionId);
        expect(told).toEqual({
          customerId,
          userId: 'u-1',
          subscription: {
            subscriptionId,
            tier: 'tier2',
            productId: 'prod_tier2',
            monthly: 7_900,
            status: 'active',
            price: 7_900,
            currency: 'usd',
            periodStart: '2026-01-31T12:00:00.000Z',
            periodEnd: '2026-02-28T12:00:00.000Z',
            pending: null,
            cancelsAt: null,
            endedAt: null,
            invoice: {
              invoiceId: expect.any(String),
              number: expect.stringMatching(/-0001$/),
              paymentIntentId: expect.any(String),
              amount: 7_900,
              currency: 'usd',
              listAmount: 7_900,
              discounts: [],
              reason: 'start',
              status: 'paid',
              at: '2026-01-31T12:00:00.000Z',
              from: '2026-01-31T12:00:00.000Z',
              periodStart: '2026-01-31T12:00:00.000Z',
              periodEnd: '2026-02-28T12:00:00.000Z',
            },
            asOf: '2026-01-31T12:00:00.000Z',
          },
        });
        expect(await given.payments.invoice(told?.subscription.invoice?.invoiceId ?? '')).toEqual({
          subscriptionId,
          customerId,
          userId: 'u-1',
          productId: 'prod_tier2',
          tier: 'tier2',
          price: 7_900,
          invoice: told?.subscription.invoice,
        });
        expect(await given.payments.subscriptionsOf(customerId)).toEqual([told]);
        expect(await given.payments.subscription('sub_nothing')).toBeNull();
        expect(await given.payments.invoice('in_nothing')).toBeNull();
        expect(await given.payments.subscriptionsOf('cus_nobody')).toEqual([]);
      });

      it('renews', async () => {
        const { subscriptionId } = await subscribed('tier1');
        await given.sandbox.advance(30);
        expect(await now(subscriptionId)).toMatchObject({
          periodStart: '2026-02-28T12:00:00.000Z',
          invoice: {
            reason: 'renewal',
            status: 'paid',
            amount: 2_900,
            at: '2026-02-28T12:00:00.000Z',
            periodStart: '2026-02-28T12:00:00.000Z',
            periodEnd: '2026-03-31T12:00:00.000Z',
          },
        });
      });

      it('is past due while its card is declined', async () => {
        const { customerId, subscriptionId } = await subscribed('tier1');
        await given.saveCard(customerId, 'pm_card_chargeCustomerFail');
        await given.sandbox.advance(30);
        expect(await now(subscriptionId)).toMatchObject({
          status: 'past_due',
          invoice: { reason: 'renewal', status: 'unpaid', at: '2026-02-28T12:00:00.000Z' },
        });
      });

      it('is upgraded at once, and the rest of the period is prorated', async () => {
        const { subscriptionId } = await subscribed('tier1');
        await given.sandbox.advance(14);
        const wish = { subscriptionId, tier: 'tier2', key: 'k-1' } as const;
        expect(await given.payments.upgradeCost(wish)).toEqual({ amount: 2_500, currency: 'usd' });
        expect(await now(subscriptionId)).toMatchObject({ tier: 'tier1' });
        await given.payments.upgrade(wish);
        await given.payments.upgrade(wish);
        const changed = await now(subscriptionId);
        expect(changed).toMatchObject({
          tier: 'tier2',
          price: 7_900,
          // The period does not change: its use still counts.
          periodStart: '2026-01-31T12:00:00.000Z',
          invoice: {
            reason: 'change',
            status: 'paid',
            amount: 2_500,
            at: '2026-02-14T12:00:00.000Z',
            periodStart: '2026-01-31T12:00:00.000Z',
            periodEnd: '2026-02-28T12:00:00.000Z',
          },
        });
        expect((await given.stripe.invoices.list({ subscription: subscriptionId })).data).toHaveLength(2);
        expect(await given.payments.invoice(changed?.invoice?.invoiceId ?? '')).toMatchObject({
          tier: 'tier2',
          price: 7_900,
          invoice: changed?.invoice,
        });
      });

      it('is not changed by a declined card, nor is its schedule', async () => {
        const { customerId, subscriptionId } = await subscribed('tier2');
        await given.payments.scheduleDowngrade({ subscriptionId, tier: 'tier1', key: 'k-1' });
        const before = await now(subscriptionId);
        await given.saveCard(customerId, 'pm_card_chargeCustomerFail');
        const wish = { subscriptionId, tier: 'tier3', key: 'k-2' } as const;
        expect(await faultOf(given.payments.upgrade(wish))).toEqual({
          fault: 'DECLINED',
          message: 'Your card was declined.',
        });
        expect(await faultOf(given.payments.upgrade(wish))).toMatchObject({ fault: 'DECLINED' });
        expect(await now(subscriptionId)).toEqual(before);
        await given.saveCard(customerId);
        await given.payments.upgrade({ ...wish, key: 'k-3' });
        expect(await now(subscriptionId)).toMatchObject({ tier: 'tier3', pending: null, cancelsAt: null });
      });

      it('waits for the bank’s confirmation, and changes when the invoice is paid', async () => {
        const { customerId, subscriptionId } = await subscribed('tier1');
        await given.saveCard(customerId, 'pm_card_authenticationRequired');
        const asked = await faultOf(given.payments.upgrade({ subscriptionId, tier: 'tier2', key: 'k-1' }));
        expect(asked).toMatchObject({ fault: 'DECLINED', message: expect.stringContaining('billing portal') });
        expect(await now(subscriptionId)).toMatchObject({ tier: 'tier1' });
        // Another card: the pending change is no obstacle.
        await given.saveCard(customerId);
        await given.payments.upgrade({ subscriptionId, tier: 'tier2', key: 'k-2' });
        expect(await now(subscriptionId)).toMatchObject({ tier: 'tier2' });
      });

      it('waits while its payment is processing, and changes with it', async () => {
        const { customerId, subscriptionId } = await subscribed('tier1');
        const { stripe, payments } = given;
        const card = await stripe.paymentMethods.create({
          type: 'card',
          card: { number: '4000000000001000', exp_month: 12, exp_year: 2034, cvc: '123' },
        });
        await stripe.paymentMethods.attach(card.id, { customer: customerId });
        await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: card.id } });
        const upgrade = (key: string) => faultOf(payments.upgrade({ subscriptionId, tier: 'tier2', key }));
        expect(await upgrade('k-1')).toMatchObject({
          fault: 'DECLINED',
          message: expect.stringContaining('being processed'),
        });
        expect(await upgrade('k-2')).toMatchObject({
          fault: 'DECLINED',
          message: expect.stringContaining('being processed'),
        });
        const [invoice] = (await stripe.invoices.list({ subscription: subscriptionId, expand: ['data.payments'] }))
          .data;
        expect(invoice?.status).toBe('open');
        await given.sandbox.control('payments', {
          payment_intent: invoice?.payments?.data[0]?.payment.payment_intent,
          outcome: 'succeed',
        });
        expect(await now(subscriptionId)).toMatchObject({
          tier: 'tier2',
          invoice: { reason: 'change', status: 'paid' },
        });
      });

      it('is downgraded when its period ends', async () => {
        const { subscriptionId } = await subscribed('tier3');
        const wish = { subscriptionId, tier: 'tier1', key: 'k-1' } as const;
        await given.payments.scheduleDowngrade(wish);
        await given.payments.scheduleDowngrade(wish);
        expect(await now(subscriptionId)).toMatchObject({
          tier: 'tier3',
          pending: { tier: 'tier1', at: '2026-02-28T12:00:00.000Z' },
        });
        await given.payments.scheduleDowngrade({ ...wish, tier: 'tier2', key: 'k-2' });
        expect(await now(subscriptionId)).toMatchObject({ pending: { tier: 'tier2' } });
        await given.sandbox.advance(30);
        expect(await now(subscriptionId)).toMatchObject({
          tier: 'tier2',
          pending: null,
          invoice: { reason: 'renewal', amount: 7_900 },
        });
        // While the schedule still runs.
        await given.payments.cancel({ subscriptionId, immediately: false, key: 'k-3' });
        expect(await now(subscriptionId)).toMatchObject({ cancelsAt: '2026-03-31T12:00:00.000Z', pending: null });
      });

      it('keeps its discount when downgraded', async () => {
        const customer = await given.customer('u-1');
        await given.saveCard(customer);
        await given.stripe.coupons.create({ id: 'half', percent_off: 50, duration: 'forever' });
        const of = { customer, items: [{ price: 'price_tier3_monthly' }], metadata: { user_id: 'u-1' } };
        const { id } = await given.stripe.subscriptions.create({ ...of, discounts: [{ coupon: 'half' }] });
        await given.payments.scheduleDowngrade({ subscriptionId: id, tier: 'tier2', key: 'k-1' });
        await given.payments.scheduleDowngrade({ subscriptionId: id, tier: 'tier1', key: 'k-2' });
        await given.sandbox.advance(30);
        expect(await now(id)).toMatchObject({ tier: 'tier1', invoice: { reason: 'renewal', amount: 1_450 } });
      });

      it('ends with its period, or at once, and continues on request', async () => {
        const { subscriptionId } = await subscribed('tier2');
        const end = '2026-02-28T12:00:00.000Z';
        await given.payments.scheduleDowngrade({ subscriptionId, tier: 'tier1', key: 'k-1' });
        await given.payments.cancel({ subscriptionId, immediately: false, key: 'k-2' });
        expect(await now(subscriptionId)).toMatchObject({ status: 'active', cancelsAt: end, pending: null });
        await given.payments.reactivate({ subscriptionId, key: 'k-3' });
        await given.payments.reactivate({ subscriptionId, key: 'k-3' });
        expect(await now(subscriptionId)).toMatchObject({ cancelsAt: null, pending: null });
        await given.payments.scheduleDowngrade({ subscriptionId, tier: 'tier1', key: 'k-4' });
        await given.payments.reactivate({ subscriptionId, key: 'k-5' });
        expect(await now(subscriptionId)).toMatchObject({ pending: null });
        await given.payments.cancel({ subscriptionId, immediately: false, key: 'k-6' });
        await given.payments.scheduleDowngrade({ subscriptionId, tier: 'tier1', key: 'k-7' });
        expect(await now(subscriptionId)).toMatchObject({ cancelsAt: null, pending: { tier: 'tier1' } });
        await given.payments.cancel({ subscriptionId, immediately: true, key: 'k-8' });
        await given.payments.cancel({ subscriptionId, immediately: true, key: 'k-8' });
        expect(await now(subscriptionId)).toMatchObject({ status: 'canceled', endedAt: '2026-01-31T12:00:00.000Z' });
        expect(
          await faultOf(given.payments.cancel({ subscriptionId: 'sub_nothing', immediately: true, key: 'k-9' })),
        ).toMatchObject({ fault: 'NOT_FOUND' });
      });

      it('has a portal', async () => {
        const customerId = await given.customer('u-1');
        const { url } = await given.payments.openPortal({
          customerId,
          returnUrl: 'http://localhost:3000/account',
          key: 'k-1',
        });
        expect(await (await fetch(url)).text()).toContain('Billing');
        await given.payments.openPortal({ customerId, returnUrl: 'http://localhost:3000/account', key: 'k-2' });
        expect((await given.stripe.billingPortal.configurations.list({ is_default: false })).data).toHaveLength(1);
      });
    });

    describe('provider events', () => {
      it('are listed oldest first, with their subjects', async () => {
        const { payments } = given;
        const { customerId, subscriptionId } = await subscribed('tier1');
        const paymentIntentId = await given.buy('u-1', customerId, 2);
        const refund = await given.stripe.refunds.create({ payment_intent: paymentIntentId });
        await given.stripe.refunds.update(refund.id, { metadata: { note: 'it went through' } });
        const events: ProviderEvent[] = [];
        for await (const event of payments.eventsSince('2026-01-31T00:00:00.000Z')) events.push(event);
        expect(events.map(({ type }) => type)).toEqual([
          'customer.subscription.created',
          'payment_intent.succeeded',
          'invoice.paid',
          'customer.subscription.updated',
          'payment_intent.succeeded',
          'charge.refunded',
          'refund.updated',
        ]);
        expect(
          events.filter(({ type }) => type.startsWith('customer.subscription')).map(({ subject }) => subject),
        ).toEqual([
          { kind: 'subscription', subscriptionId },
          { kind: 'subscription', subscriptionId },
        ]);
        expect(events.at(-1)?.subject).toEqual({ kind: 'payment', paymentIntentId });
        expect(events.at(-2)).toMatchObject({
          type: 'charge.refunded',
          isLive: false,
          account: null,
          amount: 10_000,
          currency: 'usd',
          subject: { kind: 'payment', paymentIntentId },
        });
        expect(events.find(({ type }) => type === 'invoice.paid')?.subject).toMatchObject({ kind: 'invoice' });
        const none: ProviderEvent[] = [];
        for await (const event of payments.eventsSince('2026-02-01T00:00:00.000Z')) none.push(event);
        expect(none).toEqual([]);
      });

      it('are in the books', async () => {
        const { customerId } = await subscribed('tier1');
        const paid = await given.buy('u-1', customerId, 2);
        await given.stripe.refunds.create({ payment_intent: paid, amount: 3_000 });
        const lost = await given.buy('u-1', customerId, 1);
        await given.sandbox.control('disputes', { payment_intent: lost });
        const { clientSecret } = await given.begin('u-1', customerId);
        await given.confirm(clientSecret, '4000000000000002');
        const lines: ProviderLine[] = [];
        for await (const line of given.payments.books()) lines.push(line);
        const of = { userId: 'u-1', customerId, currency: 'usd' };
        expect(lines).toEqual([
          { ...of, paymentIntentId: lost, purpose: 'funds', amount: 5_000, refunded: 0, disputed: 5_000 },
          { ...of, paymentIntentId: paid, purpose: 'funds', amount: 10_000, refunded: 3_000, disputed: 0 },
          {
            ...of,
            paymentIntentId: expect.any(String),
            purpose: 'subscription',
            amount: 2_900,
            refunded: 0,
            disputed: 0,
          },
        ]);
      });

      it('are listed with plans of any product, ended ones included', async () => {
        const { customerId, subscriptionId } = await subscribed('tier1');
        const price = await given.stripe.prices.create({
          currency: 'usd',
          unit_amount: 700,
          recurring: { interval: 'month' },
          product_data: { name: 'Newsletter' },
        });
        const other = await given.stripe.subscriptions.create({ customer: customerId, items: [{ price: price.id }] });
        await given.payments.cancel({ subscriptionId, immediately: true, key: 'k-1' });
        const plans: ProviderPlan[] = [];
        for await (const plan of given.payments.plans()) plans.push(plan);
        expect(plans).toEqual([
          { subscriptionId: other.id, userId: null, status: 'active', productId: price.product, tier: null },
          { subscriptionId, userId: 'u-1', status: 'canceled', productId: 'prod_tier1', tier: 'tier1' },
        ]);
      });
    });
  });
}

/** Payments: for reports, which add funds, and for subscriptions. */
import type Stripe from 'stripe';
import type { ProviderPayment } from '../../../domain/billing/providerPayment.ts';
import { PaymentFault, type Payments, type Purchase } from '../payments.ts';
import { eachOf, expandedOf, idOf, isoOf, orNull, type StripeClient } from './client.ts';

export function purchaseCalls(client: StripeClient): Pick<Payments, 'startPayment' | 'cancelPayment' | 'payment'> {
  return {
    async startPayment(purchase) {
      const { id, client_secret } = await client.askOnce(purchase.key, (stripe, options) =>
        stripe.paymentIntents.create(intentFor(purchase), options),
      );
      if (client_secret === null) throw new PaymentFault('REFUSED', 'The payment provider gave no secret to pay with.');
      return { paymentIntentId: id, clientSecret: client_secret };
    },
    async cancelPayment(paymentIntentId) {
      try {
        await client.ask((stripe) => stripe.paymentIntents.cancel(paymentIntentId));
      } catch (error) {
        // It was paid or canceled in the meantime.
        if (!(error instanceof PaymentFault) || error.fault !== 'REFUSED') throw error;
      }
    },
    payment: (paymentIntentId) => readPayment(client, paymentIntentId),
  };
}

function intentFor({
  userId,
  customerId,
  quantity,
  amount,
  currency,
  funds,
  discountCode,
  codeUse,
  billingEmail,
  savePaymentMethod,
}: Purchase) {
  return {
    amount,
    currency,
    customer: customerId,
    automatic_payment_methods: { enabled: true },
    receipt_email: billingEmail,
    description: quantity === 1 ? '1 report' : `${quantity} reports`,
    metadata: {
      purpose: 'funds',
      user_id: userId,
      quantity: String(quantity),
      funds: String(funds),
      ...(discountCode === null ? {} : { discount_code: discountCode }),
      ...(codeUse === null
        ? {}
        : { code_id: codeUse.codeId, code_use_id: codeUse.useId, promotion_code_id: codeUse.promotionCodeId }),
    },
    ...(savePaymentMethod ? { setup_future_usage: 'on_session' as const } : {}),
  };
}

async function readPayment(client: StripeClient, id: string): Promise<ProviderPayment | null> {
  const intent = await orNull(
    client.ask((stripe) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })),
  );
  if (!intent) return null;
  const charge = expandedOf(intent.latest_charge);
  const [{ purpose, userId }, refunds, disputes] = await Promise.all([
    purposeOf(client, intent),
    charge && charge.amount_refunded > 0 ? refundsOf(client, id) : [],
    charge?.disputed ? disputesOf(client, id) : [],
  ]);
  return {
    paymentIntentId: id,
    customerId: idOf(intent.customer),
    userId,
    purpose,
    status: STATUS_OF.get(intent.status) ?? 'open',
    amount: intent.amount,
    currency: intent.currency,
    agreed: agreedOf(intent.metadata),
    createdAt: isoOf(intent.created),
    billingEmail: intent.receipt_email ?? charge?.billing_details.email ?? null,
    refunds,
    disputes,
  };
}

const STATUS_OF: ReadonlyMap<string, ProviderPayment['status']> = new Map([
  ['processing', 'processing'],
  ['succeeded', 'succeeded'],
  ['canceled', 'canceled'],
]);

type ForWhom = Pick<ProviderPayment, 'purpose' | 'userId'>;

/** A payment that is not ours has no user. */
async function purposeOf(client: StripeClient, { id, metadata }: Stripe.PaymentIntent): Promise<ForWhom> {
  if (metadata.purpose === 'funds') return { purpose: 'funds', userId: metadata.user_id ?? null };
  const { data } = await client.ask((stripe) =>
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: id },
      limit: 1,
      expand: ['data.invoice'],
    }),
  );
  const invoice = expandedOf(data[0]?.invoice);
  if (!invoice || !('parent' in invoice)) return { purpose: 'funds', userId: null };
  return { purpose: 'subscription', userId: invoice.parent?.subscription_details?.metadata?.user_id ?? null };
}

function agreedOf(metadata: Stripe.Metadata): ProviderPayment['agreed'] {
  const { purpose, quantity, funds, discount_code, code_id, code_use_id, promotion_code_id } = metadata;
  if (purpose !== 'funds') return null;
  const [count, sum] = [Number(quantity), Number(funds)];
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(sum)) return null;
  const codeUse =
    code_id && code_use_id && promotion_code_id
      ? { codeId: code_id, useId: code_use_id, promotionCodeId: promotion_code_id }
      : null;
  return { quantity: count, funds: sum, discountCode: discount_code ?? null, codeUse };
}

async function refundsOf(client: StripeClient, payment_intent: string): Promise<ProviderPayment['refunds']> {
  const refunds: ProviderPayment['refunds'][number][] = [];
  for await (const { id, amount, status, created } of eachOf(client, (stripe, page) =>
    stripe.refunds.list({ payment_intent, ...page }),
  ))
    if (status === 'succeeded') refunds.push({ refundId: id, amount, at: isoOf(created) });
  return refunds.reverse();
}

/** Inquiries (`warning_…`) and prevented disputes withdraw no money. */
export function disputeStatusOf(status: string): 'open' | 'won' | 'lost' | null {
  if (status === 'won' || status === 'lost') return status;
  return status === 'needs_response' || status === 'under_review' ? 'open' : null;
}

async function disputesOf(client: StripeClient, payment_intent: string): Promise<ProviderPayment['disputes']> {
  const disputes: ProviderPayment['disputes'][number][] = [];
  for await (const { id, amount, status: theirs, created } of eachOf(client, (stripe, page) =>
    stripe.disputes.list({ payment_intent, ...page }),
  )) {
    const status = disputeStatusOf(theirs);
    if (status) disputes.push({ disputeId: id, amount, status, at: isoOf(created) });
  }
  return disputes.reverse();
}

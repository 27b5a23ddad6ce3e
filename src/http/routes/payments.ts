/**
 * Buying reports. The browser says what is wanted but never the price, and only the provider's word counts as proof of
 * payment.
 */
import { abandonPurchase } from '../../commands/billing/abandonPurchase.ts';
import { codeUsesLeft } from '../../commands/billing/codeUses.ts';
import { recordPayment } from '../../commands/billing/recordPayment.ts';
import { discountOf, startPurchase } from '../../commands/billing/startPurchase.ts';
import { customerIn } from '../../domain/billing/customer.ts';
import type { ProviderPayment } from '../../domain/billing/providerPayment.ts';
import { DomainError } from '../../domain/decider.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import { moneyText } from '../../model/money.ts';
import { getBilling } from '../../projections/billing.ts';
import { authenticate } from '../auth/session.ts';
import {
  CreateCheckoutSessionRequest,
  CreateCheckoutSessionResponse,
  CustomerInfoResponse,
  CustomerSessionResponse,
  LeavePurchaseRequest,
  LeavePurchaseResponse,
  PaymentConfigResponse,
  ReportPriceResponse,
  ValidateDiscountRequest,
  ValidateDiscountResponse,
  VerifyPaymentRequest,
  VerifyPaymentResponse,
} from '../contract/payments.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { atProvider } from '../money/atProvider.ts';
import { billShown } from '../money/billShown.ts';
import { countRefusedCode } from '../money/refusedCode.ts';
import { presentCustomer, presentPromotion } from '../present/payments.ts';
import { HttpError } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { route } from '../routing/route.ts';

export const getPaymentConfig = route({
  method: 'GET',
  path: '/auth/stripe-config',
  access: 'user',
  sessionOnly: true,
  summary: 'Get what a browser needs to talk to the payment provider',
  response: PaymentConfigResponse,
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) =>
    atProvider(request, async ({ publishableKey, mode, sandboxUrl }) => ({
      success: true as const,
      data: { publishable_key: publishableKey, mode, sandbox_url: sandboxUrl },
    })),
});

export const getReportPrice = route({
  method: 'GET',
  path: '/auth/stripe-price-info',
  access: 'user',
  sessionOnly: true,
  summary: 'Get the price of one report',
  response: ReportPriceResponse,
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { report } = await atProvider(request, (payments) => payments.catalogue());
    return {
      success: true as const,
      price: { id: report.priceId, unit_amount: report.amount, currency: report.currency },
    };
  },
});

export const getCustomerInfo = route({
  method: 'GET',
  path: '/auth/customer-info',
  access: 'user',
  sessionOnly: true,
  summary: 'Get the name and address of an earlier purchase from the payment provider; null if it has none',
  response: CustomerInfoResponse,
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const customer = await atProvider(request, async (payments) => {
      const customerId = await customerOf(request, payments);
      return customerId === null ? null : payments.customer(customerId);
    });
    return { success: true as const, customer: customer && presentCustomer(customer) };
  },
});

type Of = { readonly deps: Pick<HttpDeps, 'readModels'>; readonly caller: { readonly userId: string } };

async function customerOf({ deps, caller }: Of, { mode }: Payments): Promise<string | null> {
  const bill = await getBilling(deps.readModels, caller.userId);
  return customerIn(bill?.data.customers ?? [], mode);
}

export const openCustomerSession = route({
  method: 'POST',
  path: '/auth/customer-session',
  access: 'user',
  sessionOnly: true,
  secret: true,
  summary: 'Let the card form in the browser offer the user’s saved cards',
  response: CustomerSessionResponse,
  limit: 'purchase',
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const opened = await atProvider(request, async (payments) => {
      const customerId = await customerOf(request, payments);
      return customerId === null
        ? null
        : payments.openCustomerSession({ customerId, key: `customer-session-${request.command.commandId}` });
    });
    // A dialog for buying reports is open: its payment is created only when it is paid.
    request.deps.tallies.note({ type: 'CheckoutsOpened', userId: request.caller.userId, purchase: 'reports' });
    return { success: true as const, clientSecret: opened?.clientSecret ?? null };
  },
});

export const validateDiscount = route({
  method: 'POST',
  path: '/auth/validate-discount',
  access: 'public',
  summary: 'Check whether a promotion code applies to reports, and its discount; no reason is given for a refusal',
  body: ValidateDiscountRequest,
  example: { code: 'SPRING' },
  response: ValidateDiscountResponse,
  limit: 'discount',
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const caller = await authenticate(request.deps, request.bearer);
    return atProvider(request, async (payments) => {
      const [code, { report }] = await Promise.all([payments.promotionCode(request.body.code), payments.catalogue()]);
      const suited = code && suits(() => discountOf(code, report.currency)) ? code : null;
      const left = suited && (await codeUsesLeft(request.deps.store, suited, request.deps.now()));
      // Whether an open checkout has the last use is decided when another one opens: it may be the same buyer's.
      const isValid = suited !== null && left?.unused !== 0;
      const tried = { outcome: isValid ? 'valid' : 'invalid', codes: code ? [code.code] : [] } as const;
      request.deps.tallies.note({ type: 'CodesTried', userId: caller?.userId ?? null, ...tried });
      return isValid
        ? presentPromotion(suited, left?.unused ?? null)
        : { success: true as const, valid: false as const, error: 'Invalid discount code' };
    });
  },
});

function suits(check: () => unknown): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

export const createCheckoutSession = route({
  method: 'POST',
  path: '/auth/create-checkout-session',
  access: 'user',
  sessionOnly: true,
  secret: true,
  summary: 'Start a purchase of reports: returns its price and what the browser needs to pay',
  body: CreateCheckoutSessionRequest,
  example: {
    priceId: 'the id of the price',
    quantity: 3,
    discountCode: null,
    savePaymentMethod: true,
    billingEmail: 'ada@example.com',
  },
  response: CreateCheckoutSessionResponse,
  limit: 'purchase',
  refusals: ['PRICE_UNKNOWN', 'CURRENCY_MISMATCH', 'DISCOUNT_INVALID', 'PAYMENT_FAILED', 'PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { caller, command, body, log } = request;
    const { priceId, quantity, savePaymentMethod = false, billingEmail } = body;
    const discountCode = body.discountCode || null;
    const { clientSecret, paymentIntentId, total, currency, funds } = await atProvider(request, (payments) =>
      startPurchase(command, {
        userId: caller.userId,
        payments,
        priceId,
        quantity,
        discountCode,
        savePaymentMethod,
        billingEmail,
      }),
    ).catch(countRefusedCode(request));
    log().info(
      { event: 'purchase_begun', userId: caller.userId, paymentIntentId, amount: total, currency },
      'a purchase was begun',
    );
    return { success: true as const, clientSecret, paymentIntentId, amount: total, currency, funds };
  },
});

export const leavePurchase = route({
  method: 'POST',
  path: '/auth/leave-purchase',
  access: 'user',
  sessionOnly: true,
  summary: 'Give up a purchase that was begun: it cannot be paid any more, and its discount code is free again',
  body: LeavePurchaseRequest,
  example: { paymentIntentId: 'the id of the payment' },
  response: LeavePurchaseResponse,
  limit: 'purchase',
  refusals: ['PAYMENT_NOT_FOUND', 'PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { deps, caller, command, body } = request;
    const of = { userId: caller.userId, paymentIntentId: body.paymentIntentId };
    const isLeft = await atProvider(request, (payments) => abandonPurchase(command, { ...of, payments }));
    if (isLeft) deps.tallies.note({ type: 'CheckoutsLeft', userId: caller.userId, purchase: 'reports' });
    return { success: true as const };
  },
});

export const verifyPayment = route({
  method: 'POST',
  path: '/auth/verify-payment-and-add-credits',
  access: 'user',
  sessionOnly: true,
  summary: 'Credit a payment once it has succeeded; repeating it has no effect',
  body: VerifyPaymentRequest,
  example: { paymentIntentId: 'the id of the payment' },
  response: VerifyPaymentResponse,
  refusals: ['PAYMENT_NOT_FOUND', 'PAYMENT_NOT_SUCCEEDED', 'PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { deps, caller, command, body } = request;
    const payment = await atProvider(request, (payments) => payments.payment(body.paymentIntentId));
    // Another user's payment, or one not made for reports, counts as missing.
    if (payment?.userId !== caller.userId || payment.purpose !== 'funds') throw paymentNotFound();
    if (payment.status !== 'succeeded') throw notSucceeded(payment.status);
    const { events, fundsAdded, balance, position } = await recordPayment(command, payment);
    if (fundsAdded === null) throw paymentNotFound();
    const { currency } = payment;
    const added = moneyText({ amount: fundsAdded, currency });
    const isNew = events.some(({ type }) => type === 'FundsAdded');
    const answer = {
      success: true as const,
      already_processed: !isNew,
      // The same even if the provider's event came first, as it usually does: the user reads this for the first time.
      message: `Payment received: ${added} was added to your funds.`,
      funds_added: fundsAdded,
      funds_added_formatted: added,
      current_balance_formatted: moneyText({ amount: balance, currency }),
    };
    return afterWrite(deps, { position, answer }, (shown) => billShown(shown, caller.userId));
  },
});

const paymentNotFound = (): HttpError => new HttpError('PAYMENT_NOT_FOUND', 'Payment not found');

function notSucceeded(status: ProviderPayment['status']): HttpError {
  const text =
    status === 'processing'
      ? 'Your payment is being processed. It will be added to your funds when it arrives.'
      : 'This payment has not gone through.';
  return new HttpError('PAYMENT_NOT_SUCCEEDED', text, { details: { reason: status } });
}

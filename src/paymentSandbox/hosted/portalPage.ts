/** The billing portal: the card, the invoices, canceling a subscription. */
import type Stripe from 'stripe';
import { chargeOpenInvoice } from '../billing/invoices.ts';
import { periodOf } from '../billing/items.ts';
import { isOver } from '../billing/lifecycle.ts';
import { change, need, needCustomer, type SandboxContext } from '../books/context.ts';
import type { PageSecret } from '../books/kinds.ts';
import { idOf } from '../books/store.ts';
import { asksOwner } from '../payments/attempt.ts';
import { attach, methodOf, prove } from '../payments/paymentMethods.ts';
import { ApiError, invalid } from '../server/apiError.ts';
import { cardOf, fieldOf, isOurs, messageOf } from './cardForm.ts';
import {
  cardFields,
  day,
  errorBox,
  type Html,
  hiddenToken,
  html,
  money,
  NOTHING,
  notFound,
  pageWith,
  testCards,
} from './layout.ts';
import type { PageAnswer, PageRequest } from './page.ts';

const HOURS_OPEN = 24;

const subscriptionsOf = (context: SandboxContext, customer: string): Stripe.Subscription[] =>
  [...context.store.each('subscription', { customer })].filter((each) => !isOver(each));

function subscriptionBlock(context: SandboxContext, subscription: Stripe.Subscription, secret: PageSecret): Html {
  const { end } = periodOf(subscription);
  const names = subscription.items.data
    .map(({ price }) => context.store.get('product', idOf(price.product) ?? '')?.name ?? 'Subscription')
    .join(', ');
  const amount = subscription.items.data.reduce(
    (sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * (quantity ?? 1),
    0,
  );
  const every = subscription.items.data[0]?.price.recurring?.interval ?? 'month';
  const act = subscription.cancel_at_period_end
    ? html`<p>It ends on ${day(end)}.</p><button name="do" value="keep">Keep subscription</button>`
    : html`<p>It renews on ${day(end)}. Status: ${subscription.status.replaceAll('_', ' ')}.</p><button class="plain" name="do" value="cancel">Cancel subscription</button>`;
  const isScheduled = subscription.schedule !== null;
  return html`<section><h2>${names}</h2><p>${money(amount, subscription.currency)} a ${every}</p><form method="post">${hiddenToken(secret.token)}<input type="hidden" name="subscription" value="${subscription.id}">${isScheduled ? html`<p>A change is scheduled. It cannot be canceled here.</p>` : act}</form></section>`;
}

/** An unpaid invoice has its button in place of the status, so that it is visible on a phone, too. */
function invoiceRow(invoice: Stripe.Invoice, secret: PageSecret): Html {
  const state =
    invoice.status === 'open'
      ? html`<form method="post">${hiddenToken(secret.token)}<input type="hidden" name="invoice" value="${invoice.id}"><button class="small" name="do" value="pay">Pay<span class="unseen"> ${invoice.number ?? ''}</span></button></form>`
      : html`${invoice.status ?? ''}`;
  return html`<tr><td>${day(invoice.created)}<br><small>${invoice.number ?? ''}</small></td><td class="number">${money(invoice.total, invoice.currency)}</td><td class="end">${state}</td></tr>`;
}

function invoicesBlock(context: SandboxContext, customer: string, secret: PageSecret): Html {
  const rows = [...context.store.each('invoice', { customer })].map((invoice) => invoiceRow(invoice, secret));
  return html`<section><h2>Invoices</h2><table><thead><tr><th scope="col">Invoice</th><th scope="col" class="number">Amount</th><th scope="col" class="end">Status</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

function cardBlock(context: SandboxContext, customer: Stripe.Customer, secret: PageSecret): Html {
  const id =
    idOf(subscriptionsOf(context, customer.id)[0]?.default_payment_method) ??
    idOf(customer.invoice_settings.default_payment_method);
  const card = id === null ? undefined : context.store.get('payment_method', id)?.card;
  const now = card
    ? html`<p><span class="name">${card.brand}</span> ending in ${card.last4}, expires ${card.exp_month}/${card.exp_year}.</p>`
    : html`<p>No card is saved.</p>`;
  return html`<section><h2>Card</h2>${now}<form method="post">${hiddenToken(secret.token)}${cardFields(customer.name ?? '')}<button name="do" value="card">Save card</button></form>${testCards('closed')}</section>`;
}

function portal(
  context: SandboxContext,
  session: Stripe.BillingPortal.Session,
  secret: PageSecret,
  error: string | null,
): PageAnswer {
  const customer = needCustomer(context, session.customer);
  const subscriptions = subscriptionsOf(context, customer.id);
  const back = session.return_url ? html`<p><a href="${session.return_url}">Back to the shop</a></p>` : NOTHING;
  const what =
    subscriptions.length === 0
      ? html`<p>There is no subscription.</p>`
      : subscriptions.map((each) => subscriptionBlock(context, each, secret));
  return pageWith(
    'Billing',
    html`${back}${errorBox(error)}${what}${invoicesBlock(context, customer.id, secret)}${cardBlock(context, customer, secret)}`,
  );
}

function askOwner(secret: PageSecret): PageAnswer {
  return pageWith(
    '3-D Secure',
    html`<p>Your bank asks whether this card may be saved. In this sandbox, you are the bank.</p><form method="post">${hiddenToken(secret.token)}<button name="do" value="proven">Complete authentication</button><button class="plain" name="do" value="unproven">Fail authentication</button></form>`,
  );
}

/** Makes the card the default from now on, active subscriptions included. */
function keepCard(context: SandboxContext, customerId: string, method: Stripe.PaymentMethod): void {
  attach(context, method, customerId);
  const customer = needCustomer(context, customerId);
  change(
    context,
    'customer',
    customer,
    { invoice_settings: { ...customer.invoice_settings, default_payment_method: method.id } },
    'customer.updated',
  );
  for (const subscription of subscriptionsOf(context, customerId))
    change(
      context,
      'subscription',
      subscription,
      { default_payment_method: method.id },
      'customer.subscription.updated',
    );
}

/** Returns a page if one has to be shown first. */
function act(
  context: SandboxContext,
  session: Stripe.BillingPortal.Session,
  secret: PageSecret,
  { form }: PageRequest,
): PageAnswer | null {
  const what = fieldOf(form, 'do');
  if (what === 'card') {
    const method = methodOf(context, cardOf(form));
    if (asksOwner(context, method)) {
      context.store.put('page_secret', { ...secret, paymentMethod: method.id });
      return askOwner(secret);
    }
    keepCard(context, session.customer, method);
  } else if (what === 'proven' && secret.paymentMethod !== null) {
    prove(context, secret.paymentMethod);
    keepCard(context, session.customer, need(context, 'payment_method', secret.paymentMethod));
    context.store.put('page_secret', { ...secret, paymentMethod: null });
  } else if (what === 'unproven') throw invalid('The card was not saved: its owner did not confirm it.');
  else if (what === 'pay') {
    const invoice = need(context, 'invoice', fieldOf(form, 'invoice'));
    if (invoice.customer !== session.customer) return notFound();
    const intent = chargeOpenInvoice(context, invoice, { offSession: false, returnUrl: session.url });
    // The bank redirects back here.
    const bank = intent?.next_action?.redirect_to_url?.url;
    if (bank) return { location: bank };
  } else {
    const subscription = need(context, 'subscription', fieldOf(form, 'subscription'));
    if (subscription.customer !== session.customer || subscription.schedule !== null) return notFound();
    const ends = what === 'cancel';
    const reason = ends ? ('cancellation_requested' as const) : null;
    change(
      context,
      'subscription',
      subscription,
      {
        cancel_at_period_end: ends,
        cancel_at: ends ? periodOf(subscription).end : null,
        canceled_at: ends ? context.now : null,
        cancellation_details: {
          comment: null,
          feedback: null,
          feedback_option: null,
          ...subscription.cancellation_details,
          reason,
        },
      },
      'customer.subscription.updated',
    );
  }
  return null;
}

/** Requires the key from its URL, which its forms send along. */
export function portalPage(context: SandboxContext, id: string, request: PageRequest): PageAnswer {
  const session = context.store.get('portal_session', id);
  const secret = context.store.get('page_secret', id);
  if (!session || !secret || session.created + HOURS_OPEN * 3_600 < context.now) return notFound();
  const given = request.method === 'GET' ? { token: fieldOf(request.query, 'key') } : request.form;
  if (!isOurs(secret, given)) return notFound();
  if (request.method === 'GET') return portal(context, session, secret, null);
  try {
    const shown = context.store.inOne(() => act(context, session, secret, request));
    return shown ?? { location: session.url };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return portal(context, session, secret, messageOf(error));
  }
}

/** The page on which a checkout session is paid. */
import type Stripe from 'stripe';
import { need, type SandboxContext } from '../books/context.ts';
import type { PageSecret } from '../books/kinds.ts';
import { asksOwner } from '../payments/attempt.ts';
import { redeemable } from '../payments/coupons.ts';
import { methodOf } from '../payments/paymentMethods.ts';
import { ApiError } from '../server/apiError.ts';
import { cardOf, fieldOf, isOurs, messageOf } from './cardForm.ts';
import { completeSession } from './completeSession.ts';
import {
  cardFields,
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
import { discounted, sumsOf } from './sessions.ts';

const backTo = (session: Stripe.Checkout.Session): string =>
  (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);

function itemsTable(context: SandboxContext, session: Stripe.Checkout.Session, secret: PageSecret): Html {
  const currency = session.currency ?? 'usd';
  const { subtotal, discount, total } = sumsOf(context, session.id, secret.discounts);
  const rows = [...context.store.each('checkout_item', { tag: session.id, oldestFirst: true })].map((item) => {
    const every = item.price?.recurring ? `, every ${item.price.recurring.interval}` : '';
    return html`<tr><td>${item.quantity ?? 1} × ${item.description ?? ''}${every}</td><td class="number">${money(item.amount_subtotal, currency)}</td></tr>`;
  });
  const off =
    discount === 0
      ? NOTHING
      : html`<tr><td>Subtotal</td><td class="number">${money(subtotal, currency)}</td></tr><tr><td>Discount</td><td class="number">−${money(discount, currency)}</td></tr>`;
  return html`<table><caption>Your order</caption><thead><tr><th scope="col">Item</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${rows}${off}<tr><th scope="row">Total</th><td class="number"><strong>${money(total, currency)}</strong></td></tr></tbody></table>`;
}

function paymentForm(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  secret: PageSecret,
  error: string | null,
): PageAnswer {
  const customer = typeof session.customer === 'string' ? context.store.get('customer', session.customer) : undefined;
  const trial = need(context, 'session_plan', session.id).trialDays;
  const { total } = sumsOf(context, session.id, secret.discounts);
  const verb =
    session.mode === 'subscription'
      ? trial > 0
        ? `Start ${trial}-day trial`
        : 'Subscribe'
      : `Pay ${money(total, session.currency ?? 'usd')}`;
  const code = session.allow_promotion_codes
    ? html`<form method="post">${hiddenToken(secret.token)}<label for="code">Promotion code</label><input id="code" name="code" autocomplete="off"><button class="plain" name="do" value="code">Apply</button></form>`
    : NOTHING;
  const email = customer?.email ?? session.customer_email;
  const emailField = email
    ? html`<p>Receipts go to ${email}.</p>`
    : html`<label for="email">Email</label><input id="email" name="email" type="email" autocomplete="email" required>`;
  const cancel = session.cancel_url ? html`<p><a href="${session.cancel_url}">Back without paying</a></p>` : NOTHING;
  return pageWith(
    'Checkout',
    html`${errorBox(error)}${itemsTable(context, session, secret)}${code}<form method="post">${hiddenToken(secret.token)}${emailField}${cardFields(customer?.name ?? '')}<button name="do" value="pay">${verb}</button></form>${cancel}${testCards()}`,
  );
}

function askOwner(secret: PageSecret): PageAnswer {
  return pageWith(
    '3-D Secure',
    html`<p>Your bank asks whether this payment is yours. In this sandbox, you are the bank.</p><form method="post">${hiddenToken(secret.token)}<button name="do" value="proven">Complete authentication</button><button class="plain" name="do" value="unproven">Fail authentication</button></form>`,
  );
}

function act(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  secret: PageSecret,
  { form }: PageRequest,
): PageAnswer {
  const what = fieldOf(form, 'do');
  if (what === 'code') {
    const code = fieldOf(form, 'code').toLowerCase();
    const customer = typeof session.customer === 'string' ? session.customer : null;
    const [found] = [...context.store.each('promotion_code', { tag: code })].filter(
      (each) => each.active && (each.customer === null || each.customer === customer),
    );
    if (code === '' || !found) return paymentForm(context, session, secret, 'This code is invalid.');
    const discounts = [redeemable(context, { promotion_code: found.id }, customer, session.amount_subtotal)];
    const changed = { ...secret, discounts };
    context.store.put('page_secret', changed);
    return paymentForm(context, discounted(context, session, discounts), changed, null);
  }
  if (what === 'unproven')
    return paymentForm(
      context,
      session,
      secret,
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    );
  const isProven = what === 'proven' && secret.paymentMethod !== null;
  // As at Stripe: a card saved for a subscription is not offered for anything else.
  const allow_redisplay = session.mode === 'subscription' ? ('limited' as const) : undefined;
  const method = isProven
    ? need(context, 'payment_method', secret.paymentMethod ?? '')
    : methodOf(context, { ...cardOf(form), allow_redisplay });
  if (!isProven && asksOwner(context, method)) {
    context.store.put('page_secret', { ...secret, paymentMethod: method.id });
    return askOwner(secret);
  }
  return {
    location: backTo(completeSession(context, session, { method, proven: isProven, discounts: secret.discounts })),
  };
}

/** Shows the form and processes its submission; a declined card rolls back everything. */
export function checkoutPage(context: SandboxContext, id: string, request: PageRequest): PageAnswer {
  const session = context.store.get('checkout_session', id);
  const secret = context.store.get('page_secret', id);
  if (!session || !secret || session.status === 'expired') return notFound();
  if (session.status === 'complete') return { location: backTo(session) };
  if (request.method === 'GET') return paymentForm(context, session, secret, null);
  if (!isOurs(secret, request.form)) return notFound();
  try {
    return context.store.inOne(() => act(context, session, secret, request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return paymentForm(context, session, secret, messageOf(error));
  }
}

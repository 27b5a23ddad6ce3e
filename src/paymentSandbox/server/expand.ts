/** `expand[]`: ids become the objects they name, and fields omitted by default are added. */
import { onWire, type SandboxContext } from '../books/context.ts';
import { kindOfId } from '../books/kinds.ts';
import { invalid } from './apiError.ts';
import { wholeList } from './lists.ts';

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that an object has only on request. */
const LEFT_OUT: Readonly<Record<string, (context: SandboxContext, object: Json) => unknown>> = {
  // Coupons apply to everything here, in which case Stripe omits the field.
  'coupon.applies_to': () => undefined,
  'invoice.payments': (context, { id }) =>
    wholeList([...context.store.each('invoice_payment', { tag: String(id) })], '/v1/invoice_payments'),
  'invoice.confirmation_secret': (context, { id }) => {
    const [payment] = context.store.each('invoice_payment', { tag: String(id) });
    const intent = payment?.payment.payment_intent;
    const secret = typeof intent === 'string' ? context.store.get('payment_intent', intent)?.client_secret : null;
    return secret ? { type: 'payment_intent', client_secret: secret } : null;
  },
  'customer.subscriptions': (context, { id }) =>
    wholeList(
      [...context.store.each('subscription', { customer: String(id) })].filter(({ status }) => status !== 'canceled'),
      `/v1/customers/${String(id)}/subscriptions`,
    ),
  'charge.refunds': (context, { id }) =>
    wholeList([...context.store.each('refund', { tag: String(id) })], `/v1/charges/${String(id)}/refunds`),
  'checkout.session.line_items': (context, { id }) =>
    wholeList(
      [...context.store.each('checkout_item', { tag: String(id), oldestFirst: true })].map(
        ({ session: _, ...item }) => item,
      ),
      `/v1/checkout/sessions/${String(id)}/line_items`,
    ),
};

/** @throws ApiError when there is nothing to expand there */
export function expanded<T extends object>(context: SandboxContext, answer: T, paths: readonly string[]): T {
  const copy = onWire(answer);
  for (const path of paths) {
    if (path.split('.').length > 4)
      throw invalid(`You cannot expand more than 4 levels of a property. Property: ${path}`);
    expand(context, copy, path.split('.'), path);
  }
  return copy;
}

function expand(context: SandboxContext, at: unknown, [name, ...rest]: readonly string[], path: string): void {
  if (name === undefined || at === null) return;
  if (Array.isArray(at)) {
    for (const each of at) expand(context, each, [name, ...rest], path);
    return;
  }
  const refused = invalid(`This property cannot be expanded (${path}).`, undefined, 'expand');
  if (!isRecord(at)) throw refused;
  const leftOut = LEFT_OUT[`${String(at.object)}.${name}`];
  if (leftOut && at[name] === undefined) {
    at[name] = leftOut(context, at);
    if (at[name] === undefined) return;
  }
  if (at[name] === undefined) throw refused;
  const value = at[name];
  if (typeof value === 'string') {
    // Coupons have user-chosen names, without an identifying prefix.
    const kind = name === 'coupon' ? 'coupon' : kindOfId(value);
    const object = kind && context.store.get(kind, value);
    if (!object) throw refused;
    at[name] = object;
  } else if (Array.isArray(value)) {
    at[name] = value.map((each) => {
      const kind = typeof each === 'string' ? kindOfId(each) : null;
      return (kind && context.store.get(kind, String(each))) ?? each;
    });
  } else if (value !== null && !isRecord(value)) throw refused;
  expand(context, at[name], rest, path);
}

/** Customer sessions: their secret lets a page of the merchant read a customer's saved cards. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { needCustomer, type SandboxContext } from '../books/context.ts';
import { idOf } from '../books/store.ts';
import { missing } from '../server/apiError.ts';
import { text, whole, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { REDISPLAY } from './paymentMethods.ts';

const LASTS_SECONDS = 1_800;
const MOST_SHOWN = 10;

const SWITCH = z.enum(['enabled', 'disabled']);
const FEATURES = z.strictObject({
  payment_method_redisplay: SWITCH.default('disabled'),
  payment_method_redisplay_limit: whole.pipe(z.number().min(1).max(MOST_SHOWN)).default(3),
  payment_method_allow_redisplay_filters: z.array(REDISPLAY).default(['always']),
  payment_method_remove: SWITCH.default('disabled'),
  payment_method_save: SWITCH.default('disabled'),
  payment_method_save_usage: z.enum(['off_session', 'on_session']).nullable().default(null),
});
const CREATE = z.strictObject({
  customer: text,
  components: z.strictObject({ payment_element: z.strictObject({ enabled: yesNo, features: FEATURES.optional() }) }),
});

function create(
  context: SandboxContext,
  { customer, components: { payment_element } }: z.infer<typeof CREATE>,
): Stripe.CustomerSession {
  needCustomer(context, customer);
  const off = { enabled: false };
  const session: Stripe.CustomerSession = {
    object: 'customer_session',
    client_secret: context.newId('cuss_secret'),
    components: {
      active_entitlements: off,
      buy_button: off,
      customer_portal: off,
      customer_sheet: { enabled: false, features: null },
      mobile_payment_element: { enabled: false, features: null },
      payment_element: { enabled: payment_element.enabled, features: payment_element.features ?? null },
      pricing_table: off,
    },
    created: context.now,
    customer,
    customer_account: null,
    expires_at: context.now + LASTS_SECONDS,
    livemode: false,
  };
  context.store.put('customer_session', { ...session, id: session.client_secret });
  return session;
}

/** Newest first; a card saved twice is listed once. */
function shownCards(context: SandboxContext, secret: string): readonly Stripe.PaymentMethod[] {
  const session = context.store.get('customer_session', secret);
  const customer = idOf(session?.customer);
  if (!session || customer === null || session.expires_at <= context.now)
    throw missing('customer_session', secret, 'customer_session_client_secret');
  needCustomer(context, customer);
  const features = session.components?.payment_element.features;
  if (features?.payment_method_redisplay !== 'enabled') return [];
  const shown = new Map<string, Stripe.PaymentMethod>();
  for (const method of context.store.each('payment_method', { customer })) {
    const print = method.card?.fingerprint ?? method.id;
    if (
      features.payment_method_allow_redisplay_filters.includes(method.allow_redisplay ?? 'unspecified') &&
      !shown.has(print)
    )
      shown.set(print, method);
  }
  return [...shown.values()].slice(0, features.payment_method_redisplay_limit ?? undefined);
}

export const CUSTOMER_SESSIONS: readonly Route[] = [
  route({ method: 'POST', path: '/v1/customer_sessions', params: CREATE, run: create }),
  // The form in which the provider's script requests them; not part of its documented API.
  route({
    method: 'GET',
    path: '/v1/elements/sessions',
    params: z.strictObject({ customer_session_client_secret: text }),
    open: true,
    run: (context, { customer_session_client_secret }) => ({
      object: 'elements_session',
      customer: { payment_methods: shownCards(context, customer_session_client_secret) },
    }),
  }),
];

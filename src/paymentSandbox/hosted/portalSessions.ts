/** Billing portal: access, and the features offered. */
import type Stripe from 'stripe';
import * as z from 'zod';
import { mergedMetadata, need, needCustomer, type SandboxContext } from '../books/context.ts';
import { pageOf } from '../server/lists.ts';
import { ignored, LIST, metadata, text, yesNo } from '../server/params.ts';
import { type Route, route } from '../server/route.ts';
import { newSecret } from './cardForm.ts';

const DEFAULT = 'bpc_default';

function newConfiguration(
  id: string,
  created: number,
  given: { readonly isDefault: boolean; readonly returnUrl?: string | undefined; readonly metadata?: Stripe.Metadata },
): Stripe.BillingPortal.Configuration {
  return {
    id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: null, privacy_policy_url: null, terms_of_service_url: null },
    created,
    default_return_url: given.returnUrl ?? null,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: [], options: [] },
        enabled: true,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: [],
        enabled: false,
        products: [],
        proration_behavior: 'none',
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: given.isDefault,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: given.metadata ?? {},
    name: null,
    updated: created,
  };
}

function create(
  context: SandboxContext,
  given: {
    readonly customer: string;
    readonly return_url?: string | undefined;
    readonly configuration?: string | undefined;
  },
): Stripe.BillingPortal.Session {
  needCustomer(context, given.customer);
  if (!context.store.get('portal_configuration', DEFAULT))
    context.store.put('portal_configuration', newConfiguration(DEFAULT, context.now, { isDefault: true }));
  const configuration = need(context, 'portal_configuration', given.configuration ?? DEFAULT, 'configuration');
  const id = context.newId('bps');
  const { token } = newSecret(context, id);
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: configuration.id,
    created: context.now,
    customer: given.customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: given.return_url ?? configuration.default_return_url,
    // The URL contains an unguessable key: whoever has it is the customer.
    url: `${context.url}/portal/${id}?key=${token}`,
  };
  context.store.put('portal_session', session);
  return session;
}

const CONFIGURATION = {
  features: ignored,
  business_profile: ignored,
  default_return_url: text.optional(),
  metadata: metadata.optional(),
  name: ignored,
  login_page: ignored,
};

export const PORTAL: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    params: z.strictObject({
      customer: text,
      return_url: text.optional(),
      configuration: text.optional(),
      locale: ignored,
    }),
    run: create,
  }),
  route({
    method: 'POST',
    path: '/v1/billing_portal/configurations',
    params: z.strictObject(CONFIGURATION),
    run: (context, { default_return_url, metadata: meta }) => {
      const made = newConfiguration(context.newId('bpc'), context.now, {
        isDefault: false,
        returnUrl: default_return_url,
        metadata: mergedMetadata(null, meta),
      });
      context.store.put('portal_configuration', made);
      return made;
    },
  }),
  route({
    method: 'GET',
    path: '/v1/billing_portal/configurations/:id',
    params: z.strictObject({}),
    run: (context, _, id) => need(context, 'portal_configuration', id),
  }),
  route({
    method: 'GET',
    path: '/v1/billing_portal/configurations',
    params: z.strictObject({ ...LIST, active: yesNo.optional(), is_default: yesNo.optional() }),
    run: (context, { active, is_default, ...paging }) =>
      pageOf(context, 'portal_configuration', '/v1/billing_portal/configurations', paging, {
        fits: (each) =>
          (active === undefined || each.active === active) &&
          (is_default === undefined || each.is_default === is_default),
      }),
  }),
];

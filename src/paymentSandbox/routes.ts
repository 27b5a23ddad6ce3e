/** All routes of the sandbox's API. */
import * as z from 'zod';
import { INVOICES } from './billing/invoices.ts';
import { SCHEDULES } from './billing/schedules.ts';
import { SUBSCRIPTIONS } from './billing/subscriptions.ts';
import { PORTAL } from './hosted/portalSessions.ts';
import { SESSIONS } from './hosted/sessions.ts';
import { CHARGES } from './payments/charges.ts';
import { COUPONS } from './payments/coupons.ts';
import { CUSTOMER_SESSIONS } from './payments/customerSessions.ts';
import { CUSTOMERS } from './payments/customers.ts';
import { DISPUTES } from './payments/disputes.ts';
import { PAYMENT_INTENTS } from './payments/paymentIntents.ts';
import { PAYMENT_METHODS } from './payments/paymentMethods.ts';
import { PRICES } from './payments/prices.ts';
import { REFUNDS } from './payments/refunds.ts';
import { SETUP_INTENTS } from './payments/setupIntents.ts';
import { type Route, route } from './server/route.ts';
import { WEBHOOKS } from './webhooks/routes.ts';

/** The account of the key: the first request a merchant makes. */
const ACCOUNT: Route = route({
  method: 'GET',
  path: '/v1/account',
  params: z.strictObject({}),
  run: () => ({
    id: 'acct_sandbox',
    object: 'account',
    charges_enabled: true,
    country: 'US',
    default_currency: 'usd',
    details_submitted: true,
    email: null,
    payouts_enabled: true,
    type: 'standard',
  }),
});

export const ROUTES: readonly Route[] = [
  ACCOUNT,
  ...CHARGES,
  ...COUPONS,
  ...CUSTOMER_SESSIONS,
  ...CUSTOMERS,
  ...DISPUTES,
  ...INVOICES,
  ...PAYMENT_INTENTS,
  ...PAYMENT_METHODS,
  ...PORTAL,
  ...PRICES,
  ...REFUNDS,
  ...SCHEDULES,
  ...SESSIONS,
  ...SETUP_INTENTS,
  ...SUBSCRIPTIONS,
  ...WEBHOOKS,
];

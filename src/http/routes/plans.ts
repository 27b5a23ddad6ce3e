/** The available plans, and the payment provider's pages for paying and managing them. */
import { startPlan } from '../../commands/billing/startPlan.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { customerIn } from '../../domain/billing/customer.ts';
import { getBilling } from '../../projections/billing.ts';
import {
  CreateCheckoutRequest,
  CustomerPortalRequest,
  HostedPageResponse,
  PlansResponse,
} from '../contract/subscriptions.ts';
import { atProvider } from '../money/atProvider.ts';
import { countRefusedCode } from '../money/refusedCode.ts';
import { presentPlans } from '../present/payments.ts';
import { HttpError } from '../request/errors.ts';
import { type OwnSite, ownUrl } from '../request/ownUrl.ts';
import { type RouteRequest, route } from '../routing/route.ts';

export const getPlans = route({
  method: 'GET',
  path: '/subscription/tiers',
  access: 'user',
  sessionOnly: true,
  summary: 'List all plans with their prices, Free first',
  response: PlansResponse,
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const catalogue = await atProvider(request, (payments) => payments.catalogue(), {
      unavailable: 'Failed to load pricing information',
    });
    return { success: true as const, data: [...presentPlans(catalogue, request.deps.config.freeAnalysesPerMonth)] };
  },
});

export const createPlanCheckout = route({
  method: 'POST',
  path: '/subscription/create-checkout',
  access: 'user',
  sessionOnly: true,
  secret: true,
  summary: 'Get the address of the checkout page for a first plan',
  body: CreateCheckoutRequest,
  example: {
    tier: 'tier2',
    successUrl: '/account/subscription-success?session_id={CHECKOUT_SESSION_ID}',
    cancelUrl: '/account/upgrade',
  },
  response: HostedPageResponse,
  limit: 'purchase',
  refusals: ['SUBSCRIPTION_EXISTS', 'DISCOUNT_INVALID', 'PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { deps, caller, command, body } = request;
    const successUrl = ownUrl(body.successUrl, 'successUrl', siteOf(request));
    const cancelUrl = ownUrl(body.cancelUrl, 'cancelUrl', siteOf(request));
    const of = {
      userId: caller.userId,
      tier: body.tier,
      promotionCode: body.promotionCode || null,
      successUrl,
      cancelUrl,
    };
    const { code, ...page } = await atProvider(request, (payments) => startPlan(command, { ...of, payments })).catch(
      countRefusedCode(request),
    );
    // A code for a plan is checked nowhere else.
    if (code !== null)
      deps.tallies.note({ type: 'CodesTried', userId: caller.userId, outcome: 'valid', codes: [code] });
    deps.tallies.note({ type: 'CheckoutsOpened', userId: caller.userId, purchase: 'plan' });
    return hostedPage(page);
  },
});

export const openCustomerPortal = route({
  method: 'POST',
  path: '/subscription/customer-portal',
  access: 'user',
  sessionOnly: true,
  secret: true,
  summary: 'Get the address of the billing portal: cards, invoices and cancelling',
  body: CustomerPortalRequest,
  example: { returnUrl: '/account/upgrade' },
  response: HostedPageResponse,
  limit: 'purchase',
  refusals: ['NO_CUSTOMER', 'PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { deps, caller, command, body } = request;
    const returnUrl = ownUrl(body.returnUrl, 'returnUrl', siteOf(request));
    return hostedPage(
      await atProvider(request, async (payments) => {
        const bill = await getBilling(deps.readModels, caller.userId);
        const customerId = customerIn(bill?.data.customers ?? [], payments.mode);
        if (customerId === null)
          throw new HttpError('NO_CUSTOMER', 'There is nothing to manage yet: you have not bought anything.');
        return payments.openPortal({ customerId, returnUrl, key: derivedId(command.commandId, 'portal') });
      }),
    );
  },
});

const siteOf = ({ deps, headers }: Pick<RouteRequest, 'deps' | 'headers'>): OwnSite => ({
  appUrl: deps.config.appUrl,
  host: headers.host,
});

/** Returned in both places where clients look for it. */
const hostedPage = ({ url }: { readonly url: string }): HostedPageResponse => ({ success: true, url, data: { url } });

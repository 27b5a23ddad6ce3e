/** The caller's own subscription: its state, history and changes. */
import type * as z from 'zod';
import {
  type CheckedChange,
  cancelPlan,
  changePlan,
  checkChange,
  checkReactivation,
  reactivatePlan,
  upgradeCost,
} from '../../commands/billing/changePlan.ts';
import { syncSubscriptions } from '../../commands/billing/recordSubscriptions.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { getBilling, listBillingHistory } from '../../projections/billing.ts';
import {
  AllowanceResponse,
  SubscriptionHistoryQuery,
  SubscriptionHistoryResponse,
  SubscriptionStatusResponse,
} from '../contract/billing.ts';
import {
  CancelSubscriptionRequest,
  CancelSubscriptionResponse,
  ReactivateRequest,
  ReactivateResponse,
  SyncSubscriptionResponse,
  UpdatePlanRequest,
  UpdatePlanResponse,
  UpgradeCostRequest,
  UpgradeCostResponse,
} from '../contract/subscriptions.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { atProvider } from '../money/atProvider.ts';
import { billShown } from '../money/billShown.ts';
import { presentTransactions } from '../money/transactions.ts';
import { presentAllowance, presentSubscription } from '../present/billing.ts';
import { invalidInput } from '../request/errors.ts';
import { afterWrite } from '../routing/afterWrite.ts';
import { type RouteRequest, route } from '../routing/route.ts';

export const getSubscriptionStatus = route({
  method: 'GET',
  path: '/subscription/status',
  access: 'user',
  sessionOnly: true,
  summary: 'Get the subscription, this period’s usage and the balance',
  response: SubscriptionStatusResponse,
  handler: async ({ deps, caller }) => ({ success: true as const, data: await statusOf(deps, caller.userId) }),
});

export const getAllowance = route({
  method: 'GET',
  path: '/allowance',
  access: 'user',
  summary: 'Get how many audits are left, and what pays for the next',
  response: AllowanceResponse,
  handler: async ({ deps, caller }) => ({
    success: true as const,
    data: presentAllowance(await getBilling(deps.readModels, caller.userId), deps.now(), deps.config),
  }),
});

async function statusOf(
  { readModels, now, config }: HttpDeps,
  userId: string,
): Promise<SubscriptionStatusResponse['data']> {
  return presentSubscription(await getBilling(readModels, userId), now(), config);
}

const HISTORY_PAGE = 10;

export const getSubscriptionHistory = route({
  method: 'GET',
  path: '/auth/subscription/history',
  access: 'user',
  sessionOnly: true,
  summary: 'List every change to your bill, newest first: payments, credits, funds, subscriptions',
  query: SubscriptionHistoryQuery,
  response: SubscriptionHistoryResponse,
  refusals: ['INVALID_CURSOR'],
  handler: async ({ deps, caller, query }) => {
    const { limit = HISTORY_PAGE, cursor } = query;
    const page = await listBillingHistory(deps.readModels, caller.userId, { limit, cursor });
    const pagination = { limit, has_more: page.cursor !== null, cursor: page.cursor };
    return {
      success: true as const,
      data: {
        transactions: await presentTransactions(
          deps.store,
          caller.userId,
          page.documents.map(({ data }) => data),
        ),
        pagination,
      },
    };
  },
});

export const syncSubscription = route({
  method: 'POST',
  path: '/subscription/sync',
  access: 'user',
  sessionOnly: true,
  summary: 'Fetch the subscription’s state from the payment provider and store it',
  response: SyncSubscriptionResponse,
  limit: 'sync',
  refusals: ['PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { deps, caller, command } = request;
    const sync = await atProvider(
      request,
      (payments) => syncSubscriptions(command, { userId: caller.userId, payments }),
      {
        unavailable: 'Failed to sync with Stripe',
      },
    );
    const answer = { success: true as const, data: { synced_at: sync.syncedAt } };
    return afterWrite(deps, { position: sync.position, answer }, (shown) => billShown(shown, caller.userId));
  },
});

/** The subscription as of that change, once the history shows it, too. */
function changed(deps: HttpDeps, userId: string, position: Position): Promise<UpdatePlanResponse> {
  return afterWrite(deps, { position, made: { ids: {}, location: '/subscription/status' } }, async (readModels) => {
    await billShown(readModels, userId);
    return { success: true, data: { subscription: (await statusOf({ ...deps, readModels }, userId)).subscription } };
  });
}

const OF_A_CHANGE = ['NO_SUBSCRIPTION', 'PLAN_CHANGED', 'PAYMENTS_UNAVAILABLE'] as const;

export const updatePlan = route({
  method: 'POST',
  path: '/subscription/update-plan',
  access: 'user',
  sessionOnly: true,
  summary:
    'Change the plan: an upgrade takes effect at once, a downgrade at the end of the period. Fails if the current plan is not the one you name',
  body: UpdatePlanRequest,
  example: { newTier: 'tier3', currentTier: 'tier2', isUpgrade: true },
  response: UpdatePlanResponse,
  limit: 'purchase',
  refusals: [...OF_A_CHANGE, 'SAME_PLAN', 'PLAN_ON_HOLD', 'PAYMENT_FAILED'],
  answerMayLag: true,
  plan: checkedChange,
  handler: async (request) => {
    const { deps, caller, command } = request;
    const change = request.plan ?? (await checkedChange(request));
    const { position } = await atProvider(request, (payments) =>
      changePlan(command, { userId: caller.userId, payments, ...change }),
    );
    return changed(deps, caller.userId, position);
  },
});

type Asking<Body> = Pick<RouteRequest<unknown, unknown, Body, 'user'>, 'deps' | 'caller' | 'command' | 'body' | 'log'>;

async function checkedChange(request: Asking<z.output<typeof UpdatePlanRequest>>): Promise<CheckedChange> {
  const { caller, command, body } = request;
  const { newTier, currentTier, isUpgrade } = body;
  if (newTier === 'free') throw invalidInput([{ path: 'newTier', message: 'To go back to Free, cancel your plan' }]);
  const of = { userId: caller.userId, newTier, shown: { tier: currentTier, isUpgrade } };
  return atProvider(request, (payments) => checkChange(command, { ...of, payments }));
}

export const getUpgradeCost = route({
  method: 'POST',
  path: '/subscription/upgrade-cost',
  access: 'user',
  sessionOnly: true,
  summary: 'Get what an upgrade to a plan would charge now; nothing is changed',
  body: UpgradeCostRequest,
  example: { newTier: 'tier3' },
  response: UpgradeCostResponse,
  limit: 'purchase',
  refusals: ['NO_SUBSCRIPTION', 'PAYMENTS_UNAVAILABLE'],
  handler: async (request) => {
    const { caller, command, body } = request;
    const of = { userId: caller.userId, ...body };
    return {
      success: true as const,
      data: await atProvider(request, (payments) => upgradeCost(command, { ...of, payments })),
    };
  },
});

export const cancelSubscription = route({
  method: 'POST',
  path: '/subscription/cancel',
  access: 'user',
  sessionOnly: true,
  summary: 'Cancel the plan at the end of its period or at once; nothing is refunded',
  body: CancelSubscriptionRequest,
  example: { immediately: false },
  response: CancelSubscriptionResponse,
  limit: 'purchase',
  refusals: OF_A_CHANGE,
  handler: async (request) => {
    const { deps, caller, command, body } = request;
    const { immediately } = body;
    const { endsAt, position } = await atProvider(request, (payments) =>
      cancelPlan(command, { userId: caller.userId, payments, immediately }),
    );
    // Returned in all places where clients look for it.
    const end = { currentPeriodEnd: endsAt };
    const answer = { success: true as const, data: { success: true as const, ...end, data: end } };
    return afterWrite(deps, { position, answer }, (shown) => billShown(shown, caller.userId));
  },
});

export const reactivateSubscription = route({
  method: 'POST',
  path: '/subscription/reactivate',
  access: 'user',
  sessionOnly: true,
  summary: 'Undo a scheduled cancellation or downgrade',
  body: ReactivateRequest,
  example: {},
  response: ReactivateResponse,
  limit: 'purchase',
  refusals: [...OF_A_CHANGE, 'NOTHING_TO_REACTIVATE'],
  answerMayLag: true,
  plan: checkedReactivation,
  handler: async (request) => {
    const { deps, caller, command } = request;
    const checked = request.plan ?? (await checkedReactivation(request));
    const { position } = await atProvider(request, (payments) =>
      reactivatePlan(command, { userId: caller.userId, payments, ...checked }),
    );
    return changed(deps, caller.userId, position);
  },
});

function checkedReactivation(request: Asking<unknown>): ReturnType<typeof checkReactivation> {
  const { caller, command } = request;
  return atProvider(request, (payments) => checkReactivation(command, { userId: caller.userId, payments }));
}

/** The single table of tiers and what each includes. Prices are the provider's. */
import { nameOfTier, orderOfTier, type PaidTier, TIERS, type Tier } from '../../model/tiers.ts';

/** Marketing features; only API access and priority processing affect the program. */
export type PlanFeature =
  | 'email_support'
  | 'phone_and_email_support'
  | 'premium_support'
  | 'custom_integrations'
  | 'priority_processing'
  | 'client_portal'
  | 'beta_access'
  | 'api_access'
  | 'white_label';

export type Plan = {
  readonly key: Tier;
  readonly name: string;
  /** For comparison and display: free 0 up to tier4 4. */
  readonly order: number;
  /** Audits per subscription month. 0 for free: its allowance is an installation setting. */
  readonly analysesPerMonth: number;
  /** Number of unlocked action items per audit; all of them from ALL_ACTION_ITEMS on. */
  readonly actionItemsLimit: number;
  readonly features: readonly PlanFeature[];
  /** Priority among waiting jobs: higher goes first. */
  readonly queueRank: number;
  /** 'Most Popular'. */
  readonly highlighted: boolean;
};

/** Effectively unlimited: shown as "All". */
export const ALL_ACTION_ITEMS = 100;
/** Number of action items in a preview. */
const PREVIEW_ACTION_ITEMS = 8;

type Row = Pick<Plan, 'analysesPerMonth' | 'features'> &
  Partial<Pick<Plan, 'actionItemsLimit' | 'queueRank' | 'highlighted'>>;

const ROWS: Readonly<Record<Tier, Row>> = {
  free: { analysesPerMonth: 0, features: [], actionItemsLimit: PREVIEW_ACTION_ITEMS },
  tier1: { analysesPerMonth: 1, features: ['email_support'] },
  tier2: { analysesPerMonth: 3, features: ['email_support'], highlighted: true },
  tier3: { analysesPerMonth: 10, features: ['phone_and_email_support', 'custom_integrations'] },
  tier4: {
    analysesPerMonth: 50,
    features: ['premium_support', 'priority_processing', 'client_portal', 'beta_access', 'api_access', 'white_label'],
    queueRank: 1,
  },
};

/** In tier order. */
export const PLANS: readonly Plan[] = TIERS.map(planOf);

export function planOf(tier: Tier): Plan {
  const plain = { actionItemsLimit: ALL_ACTION_ITEMS, queueRank: 0, highlighted: false };
  return { key: tier, name: nameOfTier(tier), order: orderOfTier(tier), ...plain, ...ROWS[tier] };
}

/** Whether the tier includes API keys and webhooks. */
export const allowsPrograms = (tier: Tier): boolean => planOf(tier).features.includes('api_access');

/**
 * How much cheaper one audit of the plan is than one bought individually: whole percent, rounded down, 0 if not
 * cheaper. Prices in cents of one currency.
 */
export function savingsPercent(tier: PaidTier, price: { readonly monthly: number; readonly report: number }): number {
  const single = price.report * planOf(tier).analysesPerMonth;
  return single > 0 && price.monthly < single ? Math.floor(((single - price.monthly) * 100) / single) : 0;
}

/** The single table of tiers and what each includes. Prices are the provider's. */
import { nameOfTier, orderOfTier, type PaidTier, TIERS, type Tier } from '../../model/tiers.ts';

/**
 * What plans list, and what there is of it: `built_in` works as soon as the plan is paid, `partly` has a part that
 * must be asked for, `on_request` must be asked for as a whole, because nothing in the program provides it.
 */
export const PLAN_FEATURES = {
  // The support address, which stands on the home page, in emails and beside each feature on request.
  email_support: 'built_in',
  // The address; nobody is called.
  phone_and_email_support: 'partly',
  premium_support: 'on_request',
  custom_integrations: 'on_request',
  // `queueRank`
  priority_processing: 'built_in',
  client_portal: 'on_request',
  beta_access: 'on_request',
  // API keys and webhooks
  api_access: 'built_in',
  white_label: 'on_request',
} as const satisfies Readonly<Record<string, 'built_in' | 'partly' | 'on_request'>>;
export type PlanFeature = keyof typeof PLAN_FEATURES;

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

/** Those of a plan that somebody must ask for, at least in part. */
export const onRequest = ({ features }: Pick<Plan, 'features'>): readonly PlanFeature[] =>
  features.filter((feature) => PLAN_FEATURES[feature] !== 'built_in');

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

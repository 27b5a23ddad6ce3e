/** The tiers in order, shared by server and browser. What each includes is in `src/domain/billing/plans.ts`. */
export const TIERS = ['free', 'tier1', 'tier2', 'tier3', 'tier4'] as const;
export type Tier = (typeof TIERS)[number];
export type PaidTier = Exclude<Tier, 'free'>;

const NAMES: Readonly<Record<Tier, string>> = {
  free: 'Free',
  tier1: 'Basic',
  tier2: 'Professional',
  tier3: 'Business',
  tier4: 'Power',
};

export const nameOfTier = (tier: Tier): string => NAMES[tier];

/** For comparison: free 0 up to tier4 4. */
export const orderOfTier = (tier: Tier): number => TIERS.indexOf(tier);

/** Whether the target tier is higher. An upgrade takes effect immediately, a downgrade at the next renewal. */
export const isUpgrade = (from: Tier, to: Tier): boolean => orderOfTier(to) > orderOfTier(from);

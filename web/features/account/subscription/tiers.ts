import type { SubscriptionStatus } from './subscriptionApi.ts';

const NAMES: Record<SubscriptionStatus['subscription']['tier'], string> = {
  free: 'Free',
  tier1: 'Basic',
  tier2: 'Professional',
  tier3: 'Business',
  tier4: 'Power',
};

export function tierName(tier: SubscriptionStatus['subscription']['tier']): string {
  return NAMES[tier] ?? tier;
}

/** Green below 70 percent, yellow from 70, red from 90. */
export function usageTone(used: number, limit: number): 'good' | 'attention' | 'bad' {
  const share = limit > 0 ? used / limit : 1;
  return share >= 0.9 ? 'bad' : share >= 0.7 ? 'attention' : 'good';
}

import { nameOfTier, type Tier } from '../../../../src/model/tiers.ts';

/** A tier added by a newer server is shown by its key. */
export function tierName(tier: Tier): string {
  return nameOfTier(tier) ?? tier;
}

/** Green below 70 percent, yellow from 70, red from 90. */
export function usageTone(used: number, limit: number): 'good' | 'attention' | 'bad' {
  const share = limit > 0 ? used / limit : 1;
  return share >= 0.9 ? 'bad' : share >= 0.7 ? 'attention' : 'good';
}

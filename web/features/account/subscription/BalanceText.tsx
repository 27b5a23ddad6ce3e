import type { Profile } from '../../../../src/http/contract/auth.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { count } from '../../../ui/text/wording.ts';
import { type SubscriptionStatus, useGetSubscriptionQuery } from './subscriptionApi.ts';
import { tierName } from './tiers.ts';

/** 'Professional · 2 credits · $50.00': from the profile until the bill is loaded, then live from the bill. */
export function BalanceText({ profile }: { profile: Pick<Profile, 'funds' | 'credits' | 'plan'> }) {
  const { data } = useGetSubscriptionQuery();
  return balanceText(data?.balance ?? { ...profile, currency: null });
}

type Balance = SubscriptionStatus['balance'];

function balanceText({
  plan,
  credits,
  funds,
  currency,
}: Pick<Balance, 'credits' | 'funds' | 'currency'> & { plan: string }): string {
  const parts = [
    plan === 'free' ? null : tierName(plan as Balance['plan']),
    credits === 0 ? null : count(credits, 'credit'),
    moneyText(funds, currency),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

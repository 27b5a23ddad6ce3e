import type { Profile } from '../../../../src/http/contract/auth.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { count } from '../../../ui/text/wording.ts';
import { type SubscriptionStatus, useGetSubscriptionQuery } from './subscriptionApi.ts';
import { tierName } from './tiers.ts';

interface BalanceTextProps {
  profile: Pick<Profile, 'funds' | 'credits' | 'plan'>;
  /** Without funds of zero, which read as a price beside a button that buys. */
  noZero?: boolean;
}

/** 'Professional · 2 credits · $50.00': from the profile until the bill is loaded, then live from the bill. */
export function BalanceText({ profile, noZero = false }: BalanceTextProps) {
  const { data } = useGetSubscriptionQuery();
  return balanceText(data?.balance ?? { ...profile, currency: null }, noZero);
}

type Balance = SubscriptionStatus['balance'];

function balanceText(
  { plan, credits, funds, currency }: Pick<Balance, 'credits' | 'funds' | 'currency'> & { plan: string },
  noZero: boolean,
): string {
  const parts = [
    plan === 'free' ? null : tierName(plan as Balance['plan']),
    credits === 0 ? null : count(credits, 'credit'),
    noZero && funds === 0 ? null : moneyText(funds, currency),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

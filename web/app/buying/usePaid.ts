import { useSelector } from 'react-redux';
import { selectUnlimited } from '../../api/system.ts';
import { useGetSubscriptionQuery } from '../../features/account/subscription/subscriptionApi.ts';
import { selectIsAdmin } from '../../features/auth/authSlice.ts';
import { lazily } from '../../ui/lazily.ts';

export const SpendDialog = lazily(() => import('./SpendDialog.tsx'), 'SpendDialog');

const COSTS_NOTHING = [null, 'admin', 'free_allowance'];

/** Whether the user's next audit takes something that was paid for; true until that is known. */
export function usePaid(): boolean {
  const unlimited = useSelector(selectUnlimited);
  const isAdmin = useSelector(selectIsAdmin);
  const { data } = useGetSubscriptionQuery(undefined, { skip: unlimited });
  return !(unlimited || isAdmin || (data && COSTS_NOTHING.includes(data.balance.paysNext)));
}

/** The dialog to show before the next audit is started; null when it costs nothing. */
export const useAskToSpend = () => (usePaid() ? SpendDialog : null);

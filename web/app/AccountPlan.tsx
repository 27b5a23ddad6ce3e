import { ChevronRight } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectStatus } from '../api/system.ts';
import { PaymentIssue } from '../features/account/plans/PaymentIssue.tsx';
import { PlanDetails } from '../features/account/plans/PlanDetails.tsx';
import { isLive } from '../features/account/plans/planText.ts';
import { SyncIssue } from '../features/account/plans/SyncIssue.tsx';
import { SubscriptionPanel } from '../features/account/subscription/SubscriptionPanel.tsx';
import { useGetSubscriptionQuery } from '../features/account/subscription/subscriptionApi.ts';
import { selectIsAdmin } from '../features/auth/authSlice.ts';
import { buttonClasses } from '../ui/Button.tsx';
import { paths } from '../ui/paths.ts';
import { SandboxNote } from '../ui/SandboxNote.tsx';

/** The subscription on the account page, with a link to the plans where there are any. */
export function AccountPlan() {
  const isAdmin = useSelector(selectIsAdmin);
  const mode = useSelector(selectStatus)?.payments ?? 'off';
  const { data } = useGetSubscriptionQuery();
  return (
    <SubscriptionPanel isAdmin={isAdmin}>
      {/* The balance is shown with the account's details; this explains one that is negative. */}
      {data && (
        <PlanDetails subscription={data.subscription} {...(data.balance.funds < 0 ? { balance: data.balance } : {})} />
      )}
      {data && mode !== 'off' && (
        <>
          <Link to={paths.plans} className={buttonClasses('secondary', 'mt-3')}>
            {isLive(data.subscription) ? 'Change plan' : 'Upgrade'}
            <ChevronRight aria-hidden="true" size={14} />
          </Link>
          <SandboxNote short mode={mode} className="mt-2" />
        </>
      )}
    </SubscriptionPanel>
  );
}

/** Subscription problems, shown above everything else. */
export function AccountPlanIssues() {
  const mode = useSelector(selectStatus)?.payments ?? 'off';
  const { data } = useGetSubscriptionQuery();
  if (!data || mode === 'off') return null;
  return (
    <>
      <SyncIssue subscription={data.subscription} />
      <PaymentIssue {...data} />
    </>
  );
}

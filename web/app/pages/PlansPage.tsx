import { ArrowLeft } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { usePromotionCode } from '../../api/promotionCode.ts';
import { selectStatus, selectUnlimited } from '../../api/system.ts';
import { PlansScreen } from '../../features/account/plans/PlansScreen.tsx';
import { selectIsAdmin } from '../../features/auth/authSlice.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { SandboxNote } from '../../ui/SandboxNote.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { PromotionNote } from '../buying/PromotionNote.tsx';
import { NOTHING_SOLD } from '../nothingSold.ts';

export function PlansPage() {
  usePageTitle('Subscription management');
  const mode = useSelector(selectStatus)?.payments;
  const unlimited = useSelector(selectUnlimited);
  const isAdmin = useSelector(selectIsAdmin);
  const { pathname, search } = useLocation();
  // Without the id that the checkout adds, the address was opened by hand.
  const landed = pathname === paths.subscriptionSuccess && new URLSearchParams(search).has('session_id');
  const promotionCode = usePromotionCode();
  if (mode === undefined) return <Loading />;
  if (mode === 'off') return <Navigate to={paths.account} replace state={unlimited ? null : NOTHING_SOLD} />;
  return (
    <div className="space-y-4">
      <Link to={paths.account} className={buttonClasses('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        Back to Account
      </Link>
      <PlansScreen
        isAdmin={isAdmin}
        landed={landed}
        promotionCode={promotionCode}
        note={
          <>
            <SandboxNote mode={mode} />
            <PromotionNote />
          </>
        }
      />
    </div>
  );
}

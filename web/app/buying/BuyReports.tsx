import { CreditCard } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useSelector, useStore } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { BalanceText } from '../../features/account/subscription/BalanceText.tsx';
import { selectAuth } from '../../features/auth/authSlice.ts';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import type { AppStore } from '../store.ts';
import { addUserData } from '../userData.ts';

const Purchase = lazily(() => import('./Purchase.tsx'), 'Purchase');

/** Part of every page's header, so it renders before and beside the pages that add the user's data to the store. */
export function BuyReports() {
  const store = useStore() as AppStore;
  const [there, setThere] = useState(false);
  useLayoutEffect(() => {
    addUserData(store);
    setThere(true);
  }, [store]);
  return there && <BuyButton />;
}

function BuyButton() {
  const { profile } = useSelector(selectAuth);
  const [open, setOpen] = useState(false);
  const returned = useLocation().search.includes('payment_intent=');
  // Returned from a payment method's external page: the dialog shows the result.
  useEffect(() => {
    if (returned) setOpen(true);
  }, [returned]);
  if (!profile) return null;
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <CreditCard aria-hidden="true" size={16} />
        <span className="max-md:sr-only">Buy reports</span>{' '}
        <span className="text-muted tabular-nums max-lg:sr-only">
          <BalanceText noZero profile={profile} />
        </span>
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Purchase refusal={null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

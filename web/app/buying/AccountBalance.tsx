import { Suspense, useState } from 'react';
import { useSelector } from 'react-redux';
import { BalanceText } from '../../features/account/subscription/BalanceText.tsx';
import { selectAuth } from '../../features/auth/authSlice.ts';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';

const Purchase = lazily(() => import('./Purchase.tsx'), 'Purchase');

/** The balance, and the way to add to it. */
export function AccountBalance() {
  const { profile } = useSelector(selectAuth);
  const [open, setOpen] = useState(false);
  if (!profile) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="tabular-nums">
        <BalanceText profile={profile} />
      </span>
      <Button onClick={() => setOpen(true)}>Buy reports</Button>
      {open && (
        <Suspense fallback={null}>
          <Purchase refusal={null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

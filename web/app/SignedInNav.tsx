import { LogOut, Shield, User } from 'lucide-react';
import { Suspense } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectStatus } from '../api/system.ts';
import { selectIsAdmin } from '../features/auth/authSlice.ts';
import { logOut } from '../features/auth/session.ts';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { lazily } from '../ui/lazily.ts';
import { paths } from '../ui/paths.ts';

const BuyReports = lazily(() => import('./buying/BuyReports.tsx'), 'BuyReports');

/** The header's links for a logged-in user. */
export function SignedInNav() {
  const dispatch = useDispatch();
  const status = useSelector(selectStatus);
  const isAdmin = useSelector(selectIsAdmin);
  return (
    <>
      {status && status.payments !== 'off' && (
        <Suspense fallback={null}>
          <BuyReports />
        </Suspense>
      )}
      {isAdmin && (
        <Link to={paths.admin} className={buttonClasses('quiet')}>
          <Shield aria-hidden="true" size={16} />
          <span className="max-sm:sr-only">Admin</span>
        </Link>
      )}
      <Link to={paths.account} className={buttonClasses('quiet')}>
        <User aria-hidden="true" size={16} />
        <span className="max-sm:sr-only">Account</span>
      </Link>
      <Button variant="quiet" onClick={() => void logOut({ dispatch })}>
        <LogOut aria-hidden="true" size={16} />
        <span className="max-sm:sr-only">Logout</span>
      </Button>
    </>
  );
}

import { ArrowLeft } from 'lucide-react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectStatus } from '../../api/system.ts';
import { AccountDetails } from '../../features/account/AccountDetails.tsx';
import { MailPreferences } from '../../features/account/MailPreferences.tsx';
import { SubscriptionPanel } from '../../features/account/SubscriptionPanel.tsx';
import { selectUser } from '../../features/auth/authSlice.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { AccountSecurity } from '../AccountSecurity.tsx';

export function AccountPage() {
  usePageTitle('Your account');
  const user = useSelector(selectUser);
  const status = useSelector(selectStatus);
  return (
    <div className="space-y-4">
      <Link to={paths.home} className={buttonLook('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        Return to Dashboard
      </Link>
      <h1 className="text-2xl">Your Account</h1>
      {user ? (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <AccountDetails user={user} developmentMode={status?.auth_system.development_mode ?? false} />
          <SubscriptionPanel />
          <div className="md:col-span-2">
            <AccountSecurity email={user.email} />
          </div>
          <MailPreferences />
        </div>
      ) : (
        <p>Account not found</p>
      )}
    </div>
  );
}

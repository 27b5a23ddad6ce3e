import { useStore } from 'react-redux';
import { TwoFactorSetup } from '../../../features/account/mfa/TwoFactorSetup.tsx';
import { refreshProfile } from '../../../features/auth/session.ts';
import { Card } from '../../../ui/Card.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';
import type { AppStore } from '../../store.ts';

/** Replaces the admin pages until the admin has set up a second factor; the server rejects all admin calls before that. */
export function SecondFactorPage() {
  usePageTitle('Admin');
  const store = useStore() as AppStore;
  return (
    <div className="space-y-4">
      <h1 className="text-xl sm:text-2xl">Admin</h1>
      <Card title="Two-factor authentication">
        <p className="mb-3 max-w-prose">
          Admins need two-factor authentication on this installation. Turn it on to open the admin pages. You need an authenticator app on your phone.
        </p>
        <TwoFactorSetup onDone={() => void refreshProfile(store)} />
      </Card>
    </div>
  );
}

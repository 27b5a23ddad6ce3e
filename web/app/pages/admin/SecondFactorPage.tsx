import { useSelector, useStore } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { TwoFactorSetup } from '../../../features/account/mfa/TwoFactorSetup.tsx';
import { selectAuth } from '../../../features/auth/authSlice.ts';
import { isOwnPath } from '../../../features/auth/campaign.ts';
import { refreshProfile } from '../../../features/auth/session.ts';
import { buttonClasses } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';
import { paths } from '../../../ui/paths.ts';
import type { AppStore } from '../../store.ts';

/**
 * Replaces the admin pages until the admin has set up a second factor; the server rejects all admin calls before that.
 * Also shown after a log-in, with the page to go on to.
 */
export function SecondFactorPage() {
  usePageTitle('Admin');
  const store = useStore() as AppStore;
  const hasPassword = useSelector(selectAuth).profile?.has_password ?? true;
  const navigate = useNavigate();
  const from = (useLocation().state as { from?: unknown } | null)?.from;
  const next = isOwnPath(from) ? from : null;
  const done = (): void => {
    void refreshProfile(store);
    if (next) void navigate(next, { replace: true });
  };
  return (
    <div className="space-y-4">
      <h1 className="text-xl sm:text-2xl">Admin</h1>
      <Card title="Two-factor authentication">
        <p className="mb-3 max-w-prose">
          Admins need two-factor authentication on this installation. Turn it on to open the admin pages. You need an
          authenticator app on your phone.
        </p>
        <TwoFactorSetup hasPassword={hasPassword} onDone={done} />
        <p className="mt-4 mb-2 max-w-prose text-sm text-muted">
          You can also use the rest of the app now and set this up when you need the admin pages.
        </p>
        <Link
          to={next && !next.startsWith(paths.admin) ? next : paths.home}
          className={buttonClasses('quiet', '-ml-2')}
        >
          Set up later
        </Link>
      </Card>
    </div>
  );
}

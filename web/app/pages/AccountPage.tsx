import { ArrowLeft, ChevronRight } from 'lucide-react';
import { Suspense } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectStatus, selectUnlimited } from '../../api/system.ts';
import { clearTokens } from '../../api/tokens.ts';
import { AccountDetails } from '../../features/account/AccountDetails.tsx';
import { DataExport } from '../../features/account/DataExport.tsx';
import { DeleteAccount } from '../../features/account/DeleteAccount.tsx';
import { MailPreferences } from '../../features/account/MailPreferences.tsx';
import { SubscriptionHistory } from '../../features/account/subscription/SubscriptionHistory.tsx';
import {
  accountDeleted,
  deletionAsked,
  deletionRefused,
  loggedOut,
  selectAuth,
} from '../../features/auth/authSlice.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { SingleKeysSwitch } from '../../ui/form/SingleKeysSwitch.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { AccountEmailNote } from '../AccountEmailNote.tsx';
import { AccountPlan, AccountPlanIssues } from '../AccountPlan.tsx';
import { AccountSecurity } from '../AccountSecurity.tsx';
import { AccountBalance } from '../buying/AccountBalance.tsx';
import { isNothingSold } from '../nothingSold.ts';

/** At the bottom of the page, so it is loaded after the rest. */
const Activity = lazily(() => import('../../features/account/activity/Activity.tsx'), 'Activity');

const DELETION_ACTIONS = { asked: deletionAsked, refused: deletionRefused, done: accountDeleted };

export function AccountPage() {
  usePageTitle('Your account');
  const dispatch = useDispatch();
  const { user, profile } = useSelector(selectAuth);
  const status = useSelector(selectStatus);
  const unlimited = useSelector(selectUnlimited);
  const { state } = useLocation();
  const leave = (): void => {
    clearTokens();
    dispatch(loggedOut());
  };
  const followDeletion = (state: 'asked' | 'refused' | 'done'): void => {
    if (state === 'done') clearTokens();
    dispatch(DELETION_ACTIONS[state]());
  };
  return (
    <div className="space-y-4">
      <Link to={paths.home} className={buttonClasses('quiet', '-ml-2')}>
        <ArrowLeft aria-hidden="true" size={14} />
        Return to Dashboard
      </Link>
      <h1 className="text-2xl">Your Account</h1>
      {isNothingSold(state) && <Notice tone="info" title="This installation doesn’t sell plans or reports." />}
      {user && <AccountPlanIssues />}
      {user ? (
        // Cards of similar height share a row, since a row is as high as its highest card; cards that may grow get
        // their own row.
        <div className="grid gap-4 md:grid-cols-2">
          <div className={unlimited ? 'md:col-span-2' : 'grid'}>
            <AccountDetails
              user={user}
              emailNote={<AccountEmailNote />}
              balance={status && status.payments !== 'off' ? <AccountBalance /> : null}
              developmentMode={status?.auth_system.development_mode ?? false}
            />
          </div>
          {!unlimited && (
            <>
              <AccountPlan />
              <div className="md:col-span-2">
                <SubscriptionHistory />
              </div>
            </>
          )}
          <div className="md:col-span-2">
            <AccountSecurity email={user.email} />
          </div>
          <div className="md:col-span-2">
            <Suspense fallback={<Card title="Activity">{null}</Card>}>
              <Activity />
            </Suspense>
          </div>
          <MailPreferences />
          <Card title="Keyboard">
            <SingleKeysSwitch hint="Keys such as j, k and e work in lists of issues and tasks. Turn them off if you use dictation. Saved in this browser." />
          </Card>
          <Programs />
          <DataExport />
          <DeleteAccount hasPassword={profile?.has_password ?? true} onDeletion={followDeletion} />
        </div>
      ) : (
        <NotFound onLogIn={leave} />
      )}
    </div>
  );
}

/** The server does not know this session's user (anymore). */
function NotFound({ onLogIn }: { onLogIn: () => void }) {
  return (
    <div className="space-y-3">
      <p>Account not found</p>
      <Button variant="primary" onClick={onLogIn}>
        Log in again
      </Button>
    </div>
  );
}

function Programs() {
  return (
    <Card title="API and webhooks">
      <p className="mb-3">API keys for your programs, and webhooks for finished audits and completed tasks.</p>
      <Link to={paths.accountApi} className={buttonClasses('secondary')}>
        Manage keys and webhooks
        <ChevronRight aria-hidden="true" size={14} />
      </Link>
    </Card>
  );
}

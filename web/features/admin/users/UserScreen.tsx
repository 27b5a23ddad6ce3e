import { useSelector } from 'react-redux';
import { selectUnlimited } from '../../../api/system.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { UserAccount } from './UserAccount.tsx';
import { UserBilling } from './UserBilling.tsx';
import { UserJobs } from './UserJobs.tsx';
import { UserMails } from './UserMails.tsx';
import { UserSessions } from './UserSessions.tsx';
import { UserShares } from './UserShares.tsx';
import { useGetUserQuery } from './usersApi.ts';

function failureText(status: number): string {
  if (status === 404) return 'There is no such user. The account may have been deleted.';
  return status === 0 ? 'Failed to fetch user: no answer' : `Failed to fetch user: ${status}`;
}

/** One user, for an admin. `ownId`: the admin's own id, whose account has restrictions. */
export function UserScreen({
  userId,
  ownId,
  onDeleted,
}: {
  userId: string;
  ownId: string | null;
  onDeleted: () => void;
}) {
  const query = useGetUserQuery(userId, ADMIN_POLLING);
  usePageTitle(query.data?.account.email ?? 'User');
  const unlimited = useSelector(selectUnlimited);
  return (
    <AdminAnswer query={query} title="Failed to load the user" textOf={failureText}>
      {({ account, billing, sessions, shares }) => (
        <div className="space-y-4">
          <h1 className="text-xl wrap-anywhere sm:text-2xl">{account.email}</h1>
          <Notice tone="info">
            <p>Admin view. Your visit is logged.</p>
          </Notice>
          <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
            <UserAccount account={account} isOwn={userId === ownId} onDeleted={onDeleted} />
            {!unlimited && <UserBilling userId={userId} billing={billing} />}
          </div>
          <UserJobs userId={userId} />
          <UserMails userId={userId} />
          <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
            <UserSessions userId={userId} sessions={sessions} />
            <UserShares shares={shares} />
          </div>
        </div>
      )}
    </AdminAnswer>
  );
}

import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AdminAccountView } from '../../../../src/http/contract/admin/users.ts';
import { textOf } from '../../../api/failure.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { changesPath } from '../past/pastAddress.ts';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { Fact, Facts } from './Facts.tsx';
import { useSetAdminRightMutation, useSetSignInMutation } from './usersApi.ts';

const PROOFS: Readonly<Record<AdminAccountView['email_state'], string>> = {
  confirmed: 'Confirmed',
  unconfirmed: 'Not confirmed yet',
  contended: 'Not confirmed; another account has it, too',
  lost: 'Lost to another account, which confirmed it',
};

export function UserAccount({
  account,
  isOwn,
  onDeleted,
}: {
  account: AdminAccountView;
  isOwn: boolean;
  onDeleted: () => void;
}) {
  const [confirming, setConfirming] = useState<'sign-in' | 'admin-right' | 'delete' | null>(null);
  const close = (): void => setConfirming(null);
  return (
    <Card
      title="Account"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <Link to={changesPath('user', account.id, account.created_at)} className="text-sm link">
            What changed
          </Link>
          <Link to={adminHistoryPath(`account-${account.id}`)} className="text-sm link">
            History of the account
          </Link>
        </div>
      }
    >
      <Facts>
        <Fact name="Name">{account.name}</Fact>
        <Fact name="Email">{PROOFS[account.email_state]}</Fact>
        <Fact name="Since">{exactTime(account.created_at)}</Fact>
        <Fact name="Rights">{account.is_admin ? 'Admin' : 'User'}</Fact>
        <Fact name="Log-in">
          <Badge tone={account.sign_in_enabled ? 'good' : 'bad'}>
            {account.sign_in_enabled ? 'Enabled' : 'Disabled'}
          </Badge>
        </Fact>
      </Facts>
      {!isOwn && (
        <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-3">
          <Button onClick={() => setConfirming('sign-in')}>
            {account.sign_in_enabled ? 'Disable log-in' : 'Enable log-in'}
          </Button>
          <Button onClick={() => setConfirming('admin-right')}>
            {account.is_admin ? 'Remove admin rights' : 'Make admin'}
          </Button>
          <Button variant="danger" onClick={() => setConfirming('delete')}>
            Delete account
          </Button>
        </div>
      )}
      {confirming === 'sign-in' && <SignInDialog account={account} onClose={close} />}
      {confirming === 'admin-right' && <AdminRightDialog account={account} onClose={close} />}
      {confirming === 'delete' && <DeleteUserDialog account={account} onClose={close} onDeleted={onDeleted} />}
    </Card>
  );
}

function SignInDialog({ account: given, onClose }: { account: AdminAccountView; onClose: () => void }) {
  // The dialog keeps its text while the action changes the account.
  const [account] = useState(given);
  const [setSignIn, { isLoading, error }] = useSetSignInMutation();
  const enabled = !account.sign_in_enabled;
  const go = async (): Promise<void> => {
    if (!('error' in (await setSignIn({ userId: account.id, enabled })))) onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`${enabled ? 'Enable' : 'Disable'} log-in for ${account.email}?`}
      submit={enabled ? 'Enable log-in' : 'Disable log-in'}
      busy={isLoading}
      problem={error && textOf(error)}
      onSubmit={go}
      onClose={onClose}
    >
      {enabled ? (
        <p>They can log in again, and their API keys work again.</p>
      ) : (
        <p>
          All sessions end, and password and API keys no longer work until you enable them again. Running audits
          continue, and shared links stay open.
        </p>
      )}
    </FormDialog>
  );
}

function AdminRightDialog({ account: given, onClose }: { account: AdminAccountView; onClose: () => void }) {
  const [account] = useState(given);
  const [setAdminRight, { isLoading, error }] = useSetAdminRightMutation();
  const admin = !account.is_admin;
  const go = async (): Promise<void> => {
    if (!('error' in (await setAdminRight({ userId: account.id, admin })))) onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={admin ? `Make ${account.email} an admin?` : `Remove admin rights from ${account.email}?`}
      submit={admin ? 'Make admin' : 'Remove admin rights'}
      busy={isLoading}
      problem={error && textOf(error)}
      onSubmit={go}
      onClose={onClose}
    >
      <p>
        {admin
          ? 'They can see all jobs and accounts, and do everything you can do here.'
          : 'They lose access to the admin pages at once.'}
      </p>
    </FormDialog>
  );
}

import { useState } from 'react';
import { useSelector } from 'react-redux';
import type { AdminAccountView } from '../../../../src/http/contract/admin/users.ts';
import { normaliseEmail } from '../../../../src/model/emailAddress.ts';
import { textOf } from '../../../api/failure.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { useDeleteUserMutation } from './usersApi.ts';

/** Requires typing the email, to avoid deleting the wrong account. */
export function DeleteUserDialog({
  account,
  onClose,
  onDeleted,
}: {
  account: AdminAccountView;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const [remove, { isLoading, error }] = useDeleteUserMutation();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const unlimited = useSelector(selectUnlimited);
  const isRight = normaliseEmail(typed) === account.email;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (!isRight) return;
    if (!('error' in (await remove({ userId: account.id, email: typed.trim() })))) onDeleted();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Delete the account of ${account.email}?`}
      cancel="Keep the account"
      submit="Delete account"
      busy={isLoading}
      problem={error && textOf(error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="mb-4">
        This deletes the account with all audits, action items and shared links, for good.
        {!unlimited && ' A plan ends at once; nothing is refunded.'}
      </p>
      <Field
        label="Type the email address to confirm"
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={tried && !isRight ? `Please type ${account.email}` : null}
        onChange={({ target }) => setTyped(target.value)}
      />
    </FormDialog>
  );
}

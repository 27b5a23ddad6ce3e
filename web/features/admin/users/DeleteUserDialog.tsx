import { type FormEvent, useId, useState } from 'react';
import { useSelector } from 'react-redux';
import type { AdminAccountView } from '../../../../src/http/contract/admin/users.ts';
import { normaliseEmail } from '../../../../src/model/emailAddress.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { Refusal } from './QuestionDialog.tsx';
import { useDeleteUserMutation } from './usersApi.ts';

/** Requires typing the email, to avoid deleting the wrong account. */
export function DeleteUserDialog({ account, onClose, onDeleted }: { account: AdminAccountView; onClose: () => void; onDeleted: () => void }) {
  const form = useId();
  const [remove, { isLoading, error }] = useDeleteUserMutation();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const unlimited = useSelector(selectUnlimited);
  const isRight = normaliseEmail(typed) === account.email;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (!isRight || isLoading) return;
    if (!('error' in (await remove({ userId: account.id, email: typed.trim() })))) onDeleted();
  };
  return (
    <Dialog
      asks
      title={`Delete the account of ${account.email}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep the account</Button>
          <Button variant="danger" type="submit" form={form} busy={isLoading}>
            Delete account
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="space-y-4">
        <p>
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
      </form>
      <Refusal error={error} />
    </Dialog>
  );
}

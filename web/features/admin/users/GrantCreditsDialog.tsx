import { useState } from 'react';
import { MOST_CREDITS } from '../../../../src/model/limits.ts';
import { newKey } from '../../../api/call.ts';
import { textOf } from '../../../api/failure.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { useGrantCreditsMutation } from './usersApi.ts';

const REASON_MAX = 500;

export function GrantCreditsDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  // The same answer is granted once, however often it is sent; a new dialog is a new grant.
  const [key, setKey] = useState(newKey);
  const [grant, { isLoading, error }] = useGrantCreditsMutation();
  const [amount, setAmount] = useState('1');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const credits = /^\d+$/.test(amount.trim()) ? Number(amount) : 0;
  const isAmount = credits >= 1 && credits <= MOST_CREDITS;
  const submit = async (): Promise<void> => {
    setTried(true);
    if (!isAmount || reason.trim() === '') return;
    const outcome = await grant({ userId, key, credits, reason: reason.trim() });
    if (!('error' in outcome)) onClose();
  };
  return (
    <FormDialog
      title="Grant credits"
      submit="Grant credits"
      busy={isLoading}
      problem={error && textOf(error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>A credit pays for one full audit. The user sees the grant and its reason in the billing history.</p>
      <Field
        label="Credits"
        inputMode="numeric"
        value={amount}
        error={tried && !isAmount ? `Please enter a number from 1 to ${grouped(MOST_CREDITS)}` : null}
        onChange={({ target }) => {
          setAmount(target.value);
          setKey(newKey());
        }}
      />
      <Field
        label="Reason"
        value={reason}
        maxLength={REASON_MAX}
        error={tried && reason.trim() === '' ? 'Please give a reason' : null}
        onChange={({ target }) => {
          setReason(target.value);
          setKey(newKey());
        }}
      />
    </FormDialog>
  );
}

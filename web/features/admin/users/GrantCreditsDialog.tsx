import { type FormEvent, useId, useState } from 'react';
import { MOST_CREDITS } from '../../../../src/model/limits.ts';
import { newKey } from '../../../api/call.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { Refusal } from './QuestionDialog.tsx';
import { useGrantCreditsMutation } from './usersApi.ts';

const REASON_MAX = 500;

export function GrantCreditsDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const form = useId();
  // The same answer is granted once, however often it is sent; a new dialog is a new grant.
  const [key, setKey] = useState(newKey);
  const [grant, { isLoading, error }] = useGrantCreditsMutation();
  const [amount, setAmount] = useState('1');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const credits = /^\d+$/.test(amount.trim()) ? Number(amount) : 0;
  const isAmount = credits >= 1 && credits <= MOST_CREDITS;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (!isAmount || reason.trim() === '' || isLoading) return;
    const outcome = await grant({ userId, key, credits, reason: reason.trim() });
    if (!('error' in outcome)) onClose();
  };
  return (
    <Dialog
      fills
      title="Grant credits"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} busy={isLoading}>
            Grant credits
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)} className="space-y-4">
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
      </form>
      <Refusal error={error} />
    </Dialog>
  );
}

import { useState } from 'react';
import { newKey } from '../../../api/call.ts';
import { textOf } from '../../../api/failure.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { useResumePlanMutation } from './usersApi.ts';

const REASON_MAX = 500;

/** Gives a plan on hold its rights back. */
export function ResumePlanDialog({ userId, onClose }: { userId: string; onClose: () => void }) {
  const [key, setKey] = useState(newKey);
  const [resume, { isLoading, error }] = useResumePlanMutation();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (reason.trim() === '') return;
    const outcome = await resume({ userId, key, reason: reason.trim() });
    if (!('error' in outcome)) onClose();
  };
  return (
    <FormDialog
      title="Resume the plan"
      submit="Resume the plan"
      busy={isLoading}
      problem={error && textOf(error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>The plan is on hold because of a dispute or a refund. The user sees the reason in the billing history.</p>
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

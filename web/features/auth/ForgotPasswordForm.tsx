import { type FormEvent, useState } from 'react';
import { type ApiFailure, textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { askForReset } from './recovery.ts';

const SENT = 'If an account exists with this email, you will receive password reset instructions.';

export function ForgotPasswordForm() {
  const [email, setEmail] = useState('');
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<'sent' | ApiFailure | null>(null);

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setOutcome(null);
    setOutcome((await askForReset(email.trim())) ?? 'sent');
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void send(event)} className="space-y-4">
      {outcome === 'sent' && (
        <div role="status">
          <Notice tone="good">
            <p>{SENT}</p>
            <p>The link in it is good for one hour. Nothing there? Look among the spam too.</p>
          </Notice>
        </div>
      )}
      {outcome !== null && outcome !== 'sent' && (
        <Notice tone="bad">
          <p>{outcome.status === 0 ? 'Network error. Please try again.' : textOf(outcome, 'Failed to send reset email')}</p>
        </Notice>
      )}
      <Field
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        maxLength={254}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button look="primary" type="submit" busy={busy} className="h-9 w-full">
        Send reset email
      </Button>
    </form>
  );
}

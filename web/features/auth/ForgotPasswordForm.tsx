import { type FormEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { type ApiFailure, isOfEmail, textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { EmailField } from '../../ui/form/EmailField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { requestPasswordReset } from './recovery.ts';

const SENT = 'If an account exists with this email, you will receive password reset instructions.';

export function ForgotPasswordForm() {
  // Passed on by the log-in form.
  const typed = (useLocation().state as { email?: unknown } | null)?.email;
  const [email, setEmail] = useState(typeof typed === 'string' ? typed : '');
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<'sent' | ApiFailure | null>(null);

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setOutcome(null);
    const refused = await requestPasswordReset(email);
    setOutcome(refused ?? 'sent');
    setBusy(false);
    if (refused && isOfEmail(refused)) field.current?.focus();
  };
  const failure = outcome === 'sent' ? null : outcome;
  const ofEmail = failure !== null && isOfEmail(failure);
  return (
    <form noValidate onSubmit={(event) => void send(event)} className="space-y-4">
      {outcome === 'sent' && (
        <div role="status">
          <Notice tone="good">
            <p>{SENT}</p>
            <p>The link expires in one hour. Check your spam folder if it doesn’t arrive.</p>
          </Notice>
        </div>
      )}
      {failure && !ofEmail && (
        <Notice tone="bad">
          <p>
            {failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'Failed to send reset email')}
          </p>
        </Notice>
      )}
      <EmailField ref={field} value={email} error={ofEmail ? failure.message : null} onChange={setEmail} />
      <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
        Send reset email
      </Button>
    </form>
  );
}

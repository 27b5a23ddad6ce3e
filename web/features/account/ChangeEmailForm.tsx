import { type FormEvent, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { normaliseEmail } from '../../../src/model/emailAddress.ts';
import { asFailure, isOfEmail, isWrongPassword, textOf } from '../../api/failure.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { EmailField } from '../../ui/form/EmailField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { OutboxNote } from '../../ui/OutboxNote.tsx';
import { useChangeEmailMutation } from './securityApi.ts';

interface ChangeEmailFormProps {
  email: string;
  hasPassword: boolean;
  /** `pending`: it changes once the link sent there is opened. */
  onChanged: (email: string, pending: boolean) => void;
}

export function ChangeEmailForm({ email, hasPassword, onChanged }: ChangeEmailFormProps) {
  const mail = useSelector(selectStatus)?.mail;
  const [next, setNext] = useState('');
  const [password, setPassword] = useState('');
  const [change, { isLoading, data, error, reset }] = useChangeEmailMutation();
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const failure = error && asFailure(error);
  const [same, setSame] = useState(false);
  const ofEmail = failure && isOfEmail(failure);
  const wrongPassword = failure && isWrongPassword(failure);
  // The link was opened, perhaps in another tab.
  const confirmed = data?.pending && isSame(data.email, email);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading) return;
    setSame(isSame(next, email));
    if (isSame(next, email)) {
      reset();
      return emailField.current?.focus();
    }
    const outcome = await change({ email: next, ...(hasPassword ? { password } : {}) });
    if (!outcome.data) {
      const refused = asFailure(outcome.error);
      return (isOfEmail(refused) ? emailField : isWrongPassword(refused) ? passwordField : null)?.current?.focus();
    }
    setNext('');
    setPassword('');
    onChanged(outcome.data.email, outcome.data.pending);
  };
  return (
    <form aria-label="Change email" onSubmit={(event) => void send(event)} className="max-w-sm space-y-3">
      <p className="text-sm text-muted">
        Current: <span className="text-normal wrap-anywhere">{email}</span>.
        {mail !== 'none' &&
          ' We’ll send a link to the new address: the change takes effect once you confirm it, and we’ll notify your current address.'}
      </p>
      {failure && !ofEmail && !wrongPassword && (
        <Notice tone="bad">
          <p>{textOf(failure, 'Your email couldn’t be changed.')}</p>
        </Notice>
      )}
      {data && !confirmed && (
        <div role="status">
          <Notice tone="good">
            <p>
              {data.pending
                ? `We sent a link to ${data.email}. Your email changes once you confirm it.`
                : `Your email is now ${data.email}. Use it to log in from now on.`}
            </p>
          </Notice>
          <OutboxNote kept={mail === 'kept' && data.pending} />
        </div>
      )}
      <EmailField
        ref={emailField}
        label="New email"
        autoComplete="email"
        value={next}
        error={same ? 'This is already your email.' : ofEmail ? failure.message : null}
        onChange={setNext}
      />
      {hasPassword && (
        <PasswordField
          ref={passwordField}
          label="Your password"
          value={password}
          error={wrongPassword ? failure.message : null}
          onChange={setPassword}
        />
      )}
      <Button type="submit" busy={isLoading}>
        Change email
      </Button>
    </form>
  );
}

const isSame = (one: string, other: string): boolean => normaliseEmail(one) === normaliseEmail(other);

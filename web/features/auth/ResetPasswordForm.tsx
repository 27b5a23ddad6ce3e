import { type FormEvent, useState } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { type ApiFailure, textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { NewPasswordFields, useNewPassword } from '../../ui/form/NewPasswordFields.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';
import { isOwnPath } from './campaign.ts';
import { forgetSession } from './forgetSession.ts';
import { type linkTokens, setNewPassword } from './recovery.ts';

interface ResetPasswordFormProps {
  tokens: ReturnType<typeof linkTokens>;
  /** Null when unknown. */
  email: string | null;
  onInvalid: () => void;
}

export function ResetPasswordForm({ tokens, email, onInvalid }: ResetPasswordFormProps) {
  const chosen = useNewPassword();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const dispatch = useDispatch();
  const navigate = useNavigate();

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || !chosen.check()) return;
    setBusy(true);
    setFailure(null);
    const outcome = await setNewPassword(tokens, chosen.password);
    setBusy(false);
    if (outcome.failure?.code === 'RESET_INVALID') return onInvalid();
    if (outcome.failure) return setFailure(outcome.failure);
    // The server has logged out whoever was logged in here.
    forgetSession({ dispatch });
    const { redirect, message } = outcome;
    await navigate(isOwnPath(redirect) ? redirect : paths.login, {
      replace: true,
      state: { notice: message },
    });
  };
  return (
    <form onSubmit={(event) => void send(event)} className="space-y-4">
      {failure && (
        <Notice tone="bad">
          <p>
            {failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'Failed to reset password')}
          </p>
        </Notice>
      )}
      {/* Password managers store a password by its account. */}
      {email !== null && <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />}
      <NewPasswordFields label="New password" of={chosen} />
      <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
        Reset password
      </Button>
    </form>
  );
}

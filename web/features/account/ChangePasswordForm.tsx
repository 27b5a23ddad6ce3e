import { type FormEvent, useRef, useState } from 'react';
import { asFailure, isWrongPassword, textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { NewPasswordFields, useNewPassword } from '../../ui/form/NewPasswordFields.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useChangePasswordMutation } from './securityApi.ts';

export function ChangePasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const [current, setCurrent] = useState('');
  const chosen = useNewPassword();
  const [change, { isLoading, isSuccess, error }] = useChangePasswordMutation();
  const field = useRef<HTMLInputElement>(null);
  const failure = error && asFailure(error);
  const wrong = failure && isWrongPassword(failure);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading || !chosen.check()) return;
    const outcome = await change({ current_password: current, password: chosen.password });
    if (outcome.error) {
      if (isWrongPassword(asFailure(outcome.error))) field.current?.focus();
      return;
    }
    setCurrent('');
    chosen.clear();
    onChanged();
  };
  return (
    <form aria-label="Change password" onSubmit={(event) => void send(event)} className="max-w-sm space-y-3">
      {failure && !wrong && (
        <Notice tone="bad">
          <p>{textOf(failure, 'Your password couldn’t be changed.')}</p>
        </Notice>
      )}
      {isSuccess && (
        <div role="status">
          <Notice tone="good">
            <p>Password changed. Your other sessions were logged out.</p>
          </Notice>
        </div>
      )}
      {/* Password managers store a password by its account. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        ref={field}
        label="Current password"
        name="current_password"
        value={current}
        error={wrong ? failure.message : null}
        onChange={setCurrent}
      />
      <NewPasswordFields label="New password" of={chosen} />
      <Button type="submit" busy={isLoading}>
        Change password
      </Button>
    </form>
  );
}

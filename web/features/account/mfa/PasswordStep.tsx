import { type FormEvent, useEffect, useRef, useState } from 'react';
import { asFailure, isWrongPassword, textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { PasswordField } from '../../../ui/form/PasswordField.tsx';
import { Notice } from '../../../ui/Notice.tsx';

interface PasswordStepProps {
  /** Without one, a log-in a short while ago is enough. */
  readonly hasPassword: boolean;
  /** Name of the form, and text of its button. */
  readonly label: string;
  readonly variant?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSubmit: (password: string | undefined) => Promise<{ readonly error?: unknown }>;
  readonly onCancel?: (() => void) | undefined;
}

/** Asks for the password again: an open session alone is not enough. */
export function PasswordStep({
  hasPassword,
  label,
  variant = 'primary',
  busy,
  error,
  onSubmit,
  onCancel,
}: PasswordStepProps) {
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // The button that opened this step is gone.
  useEffect(() => field.current?.focus(), []);
  const failure = error ? asFailure(error) : null;
  const wrong = failure && isWrongPassword(failure);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const outcome = await onSubmit(hasPassword ? password : undefined);
    if (outcome.error) field.current?.focus();
  };
  return (
    <form aria-label={label} onSubmit={(event) => void send(event)} className="max-w-sm space-y-3">
      {failure && !wrong && (
        <Notice tone="bad">
          <p>{textOf(failure, 'Something went wrong. Please try again.')}</p>
        </Notice>
      )}
      {hasPassword && (
        <PasswordField
          ref={field}
          label="Confirm your password"
          name="current_password"
          value={password}
          error={wrong ? failure.message : null}
          onChange={setPassword}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant={variant} type="submit" busy={busy}>
          {label}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}

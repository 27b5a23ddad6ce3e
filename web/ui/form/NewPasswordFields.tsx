import { type Ref, useRef, useState } from 'react';
import { PASSWORD_MAX_LENGTH } from '../../../src/model/limits.ts';
import { Field } from './Field.tsx';
import { PasswordStrength } from './PasswordStrength.tsx';
import { passwordProblems } from './passwordRules.ts';

/** State of a new password and its confirmation. */
export interface NewPassword {
  readonly password: string;
  readonly confirmation: string;
  readonly setPassword: (password: string) => void;
  readonly setConfirmation: (confirmation: string) => void;
  readonly problems: ReturnType<typeof passwordProblems>;
  readonly passwordField: Ref<HTMLInputElement>;
  readonly confirmationField: Ref<HTMLInputElement>;
  /** False when it is invalid: the first invalid field then has the focus and shows its error. */
  readonly check: () => boolean;
  readonly clear: () => void;
}

export function useNewPassword(): NewPassword {
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [tried, setTried] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const confirmationField = useRef<HTMLInputElement>(null);
  const found = passwordProblems(password, confirmation);
  return {
    password,
    confirmation,
    setPassword,
    setConfirmation,
    passwordField,
    confirmationField,
    problems: tried ? found : {},
    check: () => {
      setTried(true);
      if (found.password) passwordField.current?.focus();
      else if (found.confirmation) confirmationField.current?.focus();
      return !found.password && !found.confirmation;
    },
    clear: () => {
      setPassword('');
      setConfirmation('');
      setTried(false);
    },
  };
}

export function NewPasswordFields({ label, of: given }: { label: string; of: NewPassword }) {
  return (
    <>
      <Field
        ref={given.passwordField}
        label={label}
        type="password"
        name="password"
        autoComplete="new-password"
        required
        maxLength={PASSWORD_MAX_LENGTH}
        value={given.password}
        error={given.problems.password}
        hint={<PasswordStrength password={given.password} />}
        onChange={(event) => given.setPassword(event.target.value)}
      />
      <Field
        ref={given.confirmationField}
        label="Confirm password"
        type="password"
        name="confirmation"
        autoComplete="new-password"
        required
        maxLength={PASSWORD_MAX_LENGTH}
        value={given.confirmation}
        error={given.problems.confirmation}
        onChange={(event) => given.setConfirmation(event.target.value)}
      />
    </>
  );
}

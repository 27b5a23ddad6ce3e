import type { ComponentProps } from 'react';
import { PASSWORD_MAX_LENGTH } from '../../../src/model/limits.ts';
import { Field } from './Field.tsx';

interface PasswordFieldProps extends Pick<ComponentProps<typeof Field>, 'error' | 'ref'> {
  label?: string;
  name?: 'password' | 'current_password';
  value: string;
  onChange: (password: string) => void;
}

/** The password that an account has; `NewPasswordFields` is for one that it gets. */
export function PasswordField({ label = 'Password', name = 'password', onChange, ...rest }: PasswordFieldProps) {
  return (
    <Field
      {...rest}
      {...{ label, name }}
      type="password"
      autoComplete="current-password"
      required
      maxLength={PASSWORD_MAX_LENGTH}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

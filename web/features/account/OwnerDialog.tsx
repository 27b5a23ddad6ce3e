import { type ReactNode, useState } from 'react';
import { asFailure, isWrongPassword, textOf } from '../../api/failure.ts';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';

interface OwnerDialogProps {
  title: string;
  submit: string;
  danger?: boolean;
  cancel?: string;
  /** Something else is missing. */
  disabled?: boolean;
  hasPassword: boolean;
  busy: boolean;
  error: unknown;
  onSubmit: (password: { readonly password?: string }) => unknown;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for the password, of an account that has one. */
export function OwnerDialog({ hasPassword, disabled, error, onSubmit, children, ...dialog }: OwnerDialogProps) {
  const [password, setPassword] = useState('');
  const failure = error ? asFailure(error) : null;
  const wrong = failure !== null && isWrongPassword(failure);
  return (
    <FormDialog
      {...dialog}
      disabled={disabled === true || (hasPassword && password === '')}
      problem={failure && !wrong && textOf(failure, 'Something went wrong. Please try again.')}
      onSubmit={() => onSubmit(hasPassword ? { password } : {})}
    >
      {children}
      {hasPassword && (
        <PasswordField
          label="Confirm your password"
          name="current_password"
          value={password}
          error={wrong ? failure.message : null}
          onChange={setPassword}
        />
      )}
    </FormDialog>
  );
}

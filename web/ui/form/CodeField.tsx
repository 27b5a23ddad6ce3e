import type { Ref } from 'react';
import { Field } from './Field.tsx';

interface CodeFieldProps {
  /** For a recovery code instead of the app's. */
  readonly recovering: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

export function CodeField({ recovering, value, onChange, ref }: CodeFieldProps) {
  const input = recovering
    ? {
        label: 'Recovery code',
        name: 'recovery_code',
        autoComplete: 'off',
        autoCapitalize: 'none',
        spellCheck: false,
        maxLength: 100,
      }
    : { label: 'Code', name: 'code', inputMode: 'numeric' as const, autoComplete: 'one-time-code', maxLength: 7 };
  return (
    <Field
      {...input}
      required
      key={input.name}
      {...(ref ? { ref } : {})}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export const codeHint = (recovering: boolean): string =>
  recovering
    ? 'Enter one of the recovery codes you saved. Each works once.'
    : 'Enter the 6-digit code from your authenticator app.';

export const otherCode = (recovering: boolean): string =>
  recovering ? 'Use your authenticator app' : 'Use a recovery code';

import type { ComponentProps } from 'react';
import { EMAIL_MAX_LENGTH } from '../../../src/model/limits.ts';
import { Field } from './Field.tsx';

interface EmailFieldProps extends Pick<ComponentProps<typeof Field>, 'error' | 'ref'> {
  label?: string;
  autoComplete?: 'username' | 'email';
  value: string;
  onChange: (email: string) => void;
}

/** Whitespace, visible or not, and a copied `mailto:` are stripped. */
const NO_PART = /mailto:|[\s\u200b-\u200d\u2060]+/g;

/** An account's email; password managers expect `username`. */
export function EmailField({ label = 'Email', autoComplete = 'username', onChange, ...rest }: EmailFieldProps) {
  return (
    <Field
      {...rest}
      {...{ label, autoComplete }}
      type="email"
      name="email"
      required
      maxLength={EMAIL_MAX_LENGTH}
      onChange={(event) => onChange(event.target.value.replace(NO_PART, ''))}
    />
  );
}

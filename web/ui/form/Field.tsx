import { clsx } from 'clsx';
import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react';

export const INPUT_CLASSES =
  'w-full rounded-control border border-line-strong bg-card px-3 text-strong placeholder:text-muted pointer-coarse:text-lg aria-invalid:border-bad';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  label: string;
  /** Shown under the field and announced with it. */
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Its form announces the error: here it only describes the field. */
  quiet?: boolean;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, error, hint, quiet, className, ...input }: FieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const secret = input.type === 'password';
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-strong">
        {label}
      </label>
      <div className="relative">
        <input
          {...input}
          {...(secret && shown ? SHOWN : null)}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={clsx(INPUT_CLASSES, 'h-9 pointer-coarse:h-11', secret && 'pr-16')}
        />
        {secret && (
          <button
            type="button"
            aria-controls={id}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 w-14 rounded-control text-sm text-muted hover:text-strong"
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        )}
      </div>
      {error && (
        <FieldError id={`${id}-error`} quiet={quiet}>
          {error}
        </FieldError>
      )}
      {hint && (
        <div id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}

/** A visible password must still not be auto-corrected, capitalized or sent to a spelling service. */
const SHOWN = { type: 'text', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } as const;

export function FieldError({ id, quiet, children }: { id?: string; quiet?: boolean | undefined; children: ReactNode }) {
  return (
    <p id={id} role={quiet ? undefined : 'alert'} className="mt-1 text-sm text-bad">
      {children}
    </p>
  );
}

import { clsx } from 'clsx';
import { useId } from 'react';
import { FieldError, INPUT_CLASSES } from './Field.tsx';

interface SelectFieldProps {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
  className?: string;
  /** Shown under the field and announced with it. */
  error?: string | undefined;
  /** As of `Field`. */
  quiet?: boolean;
}

/** The native select: works on every phone and with every screen reader. */
export function SelectField({ label, value, choices, onChange, className, error, quiet }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium text-strong">
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={clsx(INPUT_CLASSES, 'h-9 pr-2 pointer-coarse:h-11')}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
      {error && (
        <FieldError id={`${id}-error`} quiet={quiet}>
          {error}
        </FieldError>
      )}
    </div>
  );
}

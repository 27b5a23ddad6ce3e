import type { ComponentProps } from 'react';
import { Field } from '../../ui/form/Field.tsx';
import { useTyped } from '../../ui/form/useTyped.ts';

interface DateFieldProps extends Omit<ComponentProps<typeof Field>, 'type' | 'max' | 'onChange' | 'onBlur'> {
  type: 'date' | 'datetime-local';
  value: string;
  onDate: (date: string) => void;
}

/** Until then, the year is not typed in full. */
const FIRST_YEAR = 1000;
/** Limits the year to four digits. */
const LAST = { date: '9999-12-31', 'datetime-local': '9999-12-31T23:59' } as const;

/** Reports whole dates only, and leaves alone what is being typed. Once left, it shows the date that holds again. */
export function DateField({ type, value, onDate, ...field }: DateFieldProps) {
  const [typed, setTyped] = useTyped(value);
  const change = (input: HTMLInputElement): void => {
    setTyped(input.value);
    if (isWhole(input) && input.value !== value) onDate(input.value);
  };
  return (
    <Field
      {...field}
      type={type}
      max={LAST[type]}
      value={typed}
      onChange={({ target }) => change(target)}
      onBlur={() => setTyped(value)}
    />
  );
}

/** Or empty: while some of it is missing, a date has no value either. */
function isWhole({ value, validity }: HTMLInputElement): boolean {
  return value === '' ? !validity.badInput : Number.parseInt(value, 10) >= FIRST_YEAR;
}

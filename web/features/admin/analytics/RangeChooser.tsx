import type { FormEvent } from 'react';
import { REPORT_STEPS, type ReportStep } from '../../../../src/model/reports.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { useTyped } from '../../../ui/form/useTyped.ts';
import { RANGES, type Range, type Shown } from './range.ts';

const NAMES: Readonly<Record<Range, string>> = {
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  all: 'All time',
  dates: 'Dates',
};
const STEP_NAMES: Readonly<Record<ReportStep, string>> = { day: 'By day', week: 'By week', month: 'By month' };

interface RangeChooserProps {
  shown: Shown;
  /** Initial value of the date fields. */
  today: string;
  onRange: (range: Range, dates: Pick<Shown, 'from' | 'to'>) => void;
  onStep: (by: ReportStep) => void;
}

/** The date range of the figures, and their granularity. */
export function RangeChooser({ shown, today, onRange, onStep }: RangeChooserProps) {
  const { range, from, to, by } = shown;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Range"
        value={range}
        choices={RANGES.map((each) => [each, NAMES[each]])}
        onChange={(chosen) => {
          const asked = RANGES.find((each) => each === chosen);
          if (asked) onRange(asked, { from: from ?? today, to: to ?? today });
        }}
        className="w-40"
      />
      {range === 'dates' && <Dates from={from} to={to} onDates={(dates) => onRange('dates', dates)} />}
      <SelectField
        label="Show"
        value={by}
        choices={REPORT_STEPS.map((step) => [step, STEP_NAMES[step]])}
        onChange={(chosen) => {
          const step = REPORT_STEPS.find((each) => each === chosen);
          if (step) onStep(step);
        }}
        className="w-32"
      />
    </div>
  );
}

function Dates({
  from,
  to,
  onDates,
}: Pick<Shown, 'from' | 'to'> & { onDates: (dates: Pick<Shown, 'from' | 'to'>) => void }) {
  const [first, setFirst] = useTyped(from ?? '');
  const [last, setLast] = useTyped(to ?? '');
  const backwards = first !== '' && last !== '' && last < first;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!backwards) onDates({ from: first || null, to: last || null });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <Field
        label="From"
        type="date"
        value={first}
        onChange={({ target }) => setFirst(target.value)}
        className="w-40"
      />
      <Field
        label="To"
        type="date"
        value={last}
        error={backwards ? 'Before the first day' : null}
        onChange={({ target }) => setLast(target.value)}
        className="w-40"
      />
      <Button type="submit">Apply</Button>
    </form>
  );
}

import { REPORT_STEPS } from '../../../../src/model/reports.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { DateField } from '../DateField.tsx';
import { isBackwards, type ReportRequest } from './reportRequest.ts';

const STEP_NAMES = { day: 'Day', week: 'Week', month: 'Month' } as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

interface ReportFormProps {
  asked: ReportRequest;
  reports: readonly { readonly name: string; readonly title: string; readonly description: string }[];
  onAsk: (asked: ReportRequest) => void;
}

/** Choice of report, dates and moment. Every change loads at once. */
export function ReportForm({ asked, reports, onAsk }: ReportFormProps) {
  const description = reports.find(({ name }) => name === asked.report)?.description;
  const all = asked.from === '' && asked.to === '' && asked.asOf === '';
  return (
    <Card title="What to show">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-6">
        <SelectField
          label="Report"
          value={asked.report}
          choices={reports.map(({ name, title }) => [name, title] as const)}
          onChange={(report) => onAsk({ ...asked, report })}
          className="lg:col-span-2"
        />
        <DateField label="From" type="date" value={asked.from} onDate={(from) => onAsk({ ...asked, from })} />
        <DateField
          label="To"
          type="date"
          value={asked.to}
          error={isBackwards(asked) ? 'Before the first day' : null}
          onDate={(to) => onAsk({ ...asked, to })}
        />
        <SelectField
          label="By"
          value={asked.by}
          choices={REPORT_STEPS.map((step) => [step, STEP_NAMES[step]] as const)}
          onChange={(value) => onAsk({ ...asked, by: REPORT_STEPS.find((step) => step === value) ?? asked.by })}
        />
        <DateField
          label="As of"
          type="date"
          value={DAY.test(asked.asOf) ? asked.asOf : asked.asOf.slice(0, 10)}
          hint={asked.asOf !== '' && !DAY.test(asked.asOf) ? `Exactly ${asked.asOf}` : undefined}
          onDate={(asOf) => onAsk({ ...asked, asOf })}
        />
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted">
        <p className="max-w-[70ch]">
          {description} Days are UTC, both included. “As of” shows what was known at the end of that day.
        </p>
        {!all && (
          <Button variant="quiet" className="ml-auto" onClick={() => onAsk({ ...asked, from: '', to: '', asOf: '' })}>
            All days, as of now
          </Button>
        )}
      </div>
    </Card>
  );
}

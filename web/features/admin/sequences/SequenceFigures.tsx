import type { SequenceFiguresResponse } from '../../../../src/http/contract/admin/emailSequences.ts';
import { Card } from '../../../ui/Card.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { useGetSequenceFiguresQuery } from './sequencesApi.ts';
import { httpError } from './sequenceWording.ts';

/** Who was enrolled, and the results of each step. */
export function SequenceFigures({ sequenceId }: { sequenceId: string }) {
  const query = useGetSequenceFiguresQuery(sequenceId, ADMIN_POLLING);
  return (
    <Card title="Figures">
      <AdminAnswer query={query} title="Failed to load sequence" textOf={httpError}>
        {(figures) => (
          <>
            <dl className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-5">
              {totalsOf(figures).map(([name, value]) => (
                <div key={name}>
                  <dt className="text-sm text-muted">{name}</dt>
                  <dd className="text-lg text-strong tabular-nums">{grouped(value)}</dd>
                </div>
              ))}
            </dl>
            {figures.steps.length > 0 && <StepsTable steps={figures.steps} total={figures.total} />}
            <p className="mt-2 text-sm text-muted">Deleted accounts are not counted.</p>
          </>
        )}
      </AdminAnswer>
    </Card>
  );
}

const totalsOf = (figures: SequenceFiguresResponse) =>
  [
    ['Enrolled', figures.enrolled],
    ['In progress', figures.under_way],
    ['Finished', figures.finished],
    ['Stopped', figures.stopped],
    ['Unsubscribed', figures.turned_off],
  ] as const;

const COLUMNS = [
  ['Waiting', 'waiting'],
  ['Sent', 'sent'],
  ['Failed', 'failed'],
  ['Skipped', 'skipped'],
  ['Stopped', 'stopped'],
  ['Unsubscribed after it', 'turned_off'],
] as const;

function StepsTable({ steps, total }: Pick<SequenceFiguresResponse, 'steps' | 'total'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on phones, and the keyboard must be able to.
    <section aria-label="Figures by step" tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1 pr-3 font-medium">
              Step
            </th>
            {COLUMNS.map(([name]) => (
              <th key={name} scope="col" className="px-2 py-1 text-right font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.template_id} className="border-t border-line">
              <th scope="row" className="min-w-32 py-2 pr-3 text-left font-normal wrap-anywhere text-strong">
                {step.step_number === null ? (
                  <>
                    {step.name}
                    <span className="block text-sm text-muted">Deleted template</span>
                  </>
                ) : (
                  `${step.step_number}. ${step.name}`
                )}
              </th>
              <Counts of={step} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-medium">
            <th scope="row" className="py-2 pr-3 text-left font-medium text-strong">
              Total
            </th>
            <Counts of={total} />
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Counts({ of }: { of: SequenceFiguresResponse['total'] }) {
  return COLUMNS.map(([name, field]) => (
    <td key={name} className="px-2 py-2 text-right tabular-nums">
      {grouped(of[field])}
    </td>
  ));
}

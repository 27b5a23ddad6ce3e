import { clsx } from 'clsx';
import { useSelector } from 'react-redux';
import type { AdminJobResponse } from '../../../../../src/http/contract/admin/jobs.ts';
import { selectUnlimited } from '../../../../api/system.ts';
import { Card } from '../../../../ui/Card.tsx';
import { moneyText } from '../../../../ui/text/money.ts';
import { exactTime } from '../../../../ui/text/time.ts';
import { count } from '../../../../ui/text/wording.ts';

type Shown = AdminJobResponse['data'];
type Paid = NonNullable<Shown['paid']>;

const SOURCES: Readonly<Record<Paid['source'], string>> = {
  admin: 'Free (admin)',
  plan: 'Plan',
  credits: 'Credits',
  funds: 'Funds',
  free_allowance: 'Free allowance',
};
const STATES: Readonly<Record<Paid['state'], string>> = {
  reserved: 'Reserved until the job ends',
  consumed: 'Charged',
  released: 'Returned',
};

const sourceText = ({ source, amount, currency }: Pick<Paid, 'source' | 'amount' | 'currency'>): string =>
  amount === null ? SOURCES[source] : `${SOURCES[source]}, ${moneyText(amount, currency)}`;

export function JobFacts({ shown: { job, paid, work, shares } }: { shown: Shown }) {
  const unlimited = useSelector(selectUnlimited);
  return (
    <div className={clsx('grid gap-4', unlimited ? 'lg:grid-cols-2' : 'lg:grid-cols-3')}>
      {!unlimited && <PaidBy paid={paid} />}
      <Work work={work} ended={job.completed_at !== null} />
      <SharedLinks shares={shares} />
    </div>
  );
}

/** What paid for the audit, and its current state. */
export function PaidBy({ paid }: { paid: Shown['paid'] }) {
  return (
    <Card title="Paid by">
      {paid === null ? (
        <p className="text-muted">Not on the bill.</p>
      ) : (
        <Facts
          facts={[
            ['Source', sourceText(paid)],
            ['State', STATES[paid.state]],
            ['Report', paid.access === 'full' || paid.unlock ? 'Full' : 'Preview'],
            ...(paid.unlock ? [['Unlocked by', sourceText(paid.unlock)] as const] : []),
          ]}
        />
      )}
    </Card>
  );
}

/** Its pending work, with the errors of earlier attempts. */
function Work({ work, ended }: { work: Shown['work']; ended: boolean }) {
  return (
    <Card title="Work">
      {work.length === 0 && (
        <p className="text-muted">{ended ? 'No pending work: the job has ended.' : 'No work listed yet.'}</p>
      )}
      {work.map(({ kind, opened_at, due_at, attempts, failure, vanishings, holder }) => (
        <Facts
          key={kind}
          facts={[
            ['Pending since', exactTime(opened_at)],
            ['Worker', holder ?? 'Unassigned'],
            ...(holder === null ? [['Next attempt from', exactTime(due_at)] as const] : []),
            ['Failed attempts', String(attempts)],
            ...(failure === null ? [] : [['Last failure', failure] as const]),
            ...(vanishings > 0 ? [['Processes lost', String(vanishings)] as const] : []),
          ]}
        />
      ))}
    </Card>
  );
}

function SharedLinks({ shares: { total, revoked } }: { shares: Shown['shares'] }) {
  return (
    <Card title="Shared links">
      <p>{total === 0 ? 'None.' : `${count(total, 'link')}${revoked > 0 ? `, ${revoked} revoked` : ''}.`}</p>
    </Card>
  );
}

function Facts({ facts }: { facts: readonly (readonly [name: string, text: string])[] }) {
  return (
    <dl className="space-y-2 text-sm">
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="text-strong wrap-anywhere">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { Card } from '../../../ui/Card.tsx';
import { BetweenForm, Changes } from './Changes.tsx';
import { MomentForm } from './PastBanner.tsx';
import { PastBill } from './PastBill.tsx';
import { PastJob } from './PastJob.tsx';
import { PastJobs, PastUserJobs } from './PastJobs.tsx';
import { PastPrompts } from './PastPrompts.tsx';
import { PastSequences } from './PastSequences.tsx';
import { PastUsers } from './PastUsers.tsx';
import { type PastRequest, searchOf } from './pastAddress.ts';

/** The past view that the address asks for. */
export function PastScreen({ asked }: { asked: PastRequest }) {
  const [, setAddress] = useSearchParams();
  // Moving the slider adds no history entries: the back button leaves the page.
  const show = (next: PastRequest): void => setAddress(searchOf(next), { replace: true });
  switch (asked.view) {
    case 'job':
      return (
        <PastJob
          key={asked.jobId}
          then={{ jobId: asked.jobId, at: asked.at }}
          onMove={(at) => show({ ...asked, at })}
        />
      );
    case 'bill':
      return (
        <PastBill key={asked.userId} userId={asked.userId} at={asked.at} onMove={(at) => show({ ...asked, at })} />
      );
    case 'jobs':
      return asked.userId === null ? (
        <PastJobs
          at={asked.at}
          status={asked.status}
          search={asked.search}
          onShow={(next) => show({ ...asked, ...next })}
        />
      ) : (
        <PastUserJobs userId={asked.userId} at={asked.at} onShow={(next) => show({ ...asked, ...next })} />
      );
    case 'users':
      return <PastUsers at={asked.at} search={asked.search} onShow={(next) => show({ ...asked, ...next })} />;
    case 'prompts':
      return <PastPrompts at={asked.at} onShow={(next) => show({ ...asked, ...next })} />;
    case 'sequences':
      return <PastSequences at={asked.at} onShow={(next) => show({ ...asked, ...next })} />;
    case 'changes':
      return <Changes asked={asked} onShow={(next) => show({ ...asked, ...next })} />;
    default:
      asked satisfies never;
      return null;
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Entry form: one moment, or two to compare. */
export function PastStart({ now = Date.now() }: { now?: number }) {
  const [, setAddress] = useSearchParams();
  const show = (asked: PastRequest): void => setAddress(searchOf(asked));
  // Computed once on opening, so that typed values are kept.
  const [[yesterday, today]] = useState(
    () => [new Date(now - DAY_MS).toISOString(), new Date(now).toISOString()] as const,
  );
  return (
    <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
      <Card title="All jobs, users, prompts and email sequences at any point in time">
        <MomentForm
          time={yesterday}
          onShow={(at) => show({ view: 'jobs', userId: null, status: 'all', search: '', at })}
        />
      </Card>
      <Card title="What changed between two points in time">
        <BetweenForm
          from={yesterday}
          to={today}
          onShow={(next) => show({ view: 'changes', userId: null, of: 'user', ...next })}
        />
      </Card>
    </div>
  );
}

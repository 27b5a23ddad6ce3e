import { Link } from 'react-router-dom';
import type { PastBillResponse } from '../../../../src/http/contract/admin/past.ts';
import { adminUserPath } from '../../../ui/adminPaths.ts';
import { buttonClasses } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { BillRows, PlanFacts } from '../users/UserBilling.tsx';
import { HistorySlider } from './HistorySlider.tsx';
import { timeOf } from './momentText.ts';
import { MomentForm, PastBanner } from './PastBanner.tsx';
import { changesPath, monthBefore } from './pastAddress.ts';
import { useGetBillStepsQuery, useGetPastBillQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

interface Moving {
  readonly userId: string;
  readonly onMove: (at: string) => void;
}

/** A past state of a bill, with a slider over its events. Prices and limits are those of today's settings. */
export function PastBill({ userId, at, onMove }: Moving & { at: string }) {
  const query = useGetPastBillQuery({ userId, at });
  return (
    <AdminAnswer query={query} title="Failed to load the bill" textOf={pastFailure('There is no such bill.')}>
      {(answer) => <Bill answer={answer} userId={userId} at={at} onMove={onMove} />}
    </AdminAnswer>
  );
}

function Bill({ answer: { moment, data }, userId, at, onMove }: Moving & { answer: PastBillResponse; at: string }) {
  const { email, billing, history, more } = data;
  // At the present, shows the last 30 days.
  const since = moment.now ? monthBefore(Date.parse(moment.time)) : moment.position;
  return (
    <div className="space-y-4">
      <PastBanner moment={moment} now={adminUserPath(userId)} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="min-w-0 flex-1 basis-64 text-xl [overflow-wrap:anywhere] sm:text-2xl">Bill of {email ?? 'a deleted account'}</h1>
        <div className="flex flex-wrap items-end gap-2">
          <MomentForm time={timeOf(moment)} onShow={onMove} />
          <Link to={changesPath('bill', userId, since)} className={buttonClasses('secondary')}>
            {moment.now ? 'What changed' : 'What changed since'}
          </Link>
        </div>
      </div>
      <Life userId={userId} asked={at} position={moment.position} onMove={onMove} />
      <Card title="Plan and balance">
        <PlanFacts billing={billing} />
        <h3 className="mt-4 mb-1 text-sm text-muted">History{more && ', the newest 100'}</h3>
        {history.length === 0 ? <p className="text-muted">No payments and no credits yet.</p> : <BillRows userId={userId} rows={history} />}
      </Card>
    </div>
  );
}

function Life({ userId, ...shown }: Moving & { asked: string; position: string }) {
  const query = useGetBillStepsQuery(userId);
  return (
    <AdminAnswer query={query} title="Failed to load its events" textOf={pastFailure('There is no such bill.')}>
      {(steps) => <HistorySlider steps={steps} {...shown} />}
    </AdminAnswer>
  );
}

import { Link } from 'react-router-dom';
import type { PastBillResponse } from '../../../../src/http/contract/admin/past.ts';
import { buttonClasses } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { BillRows, PlanFacts } from '../users/UserBilling.tsx';
import { HistorySlider } from './HistorySlider.tsx';
import { atOf, timeOf } from './momentText.ts';
import { MomentForm, PastBanner } from './PastBanner.tsx';
import { changesPath, monthBefore, nowOf } from './pastAddress.ts';
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
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the bill"
        textOf={pastFailure('There is no such bill.')}
        above={(answer) => <Head answer={answer} userId={userId} at={at} onMove={onMove} />}
      >
        {(answer) => <Bill answer={answer} userId={userId} at={at} onMove={onMove} />}
      </AdminAnswer>
    </div>
  );
}

function Head({ answer, userId, at, onMove }: Moving & { answer: PastBillResponse | undefined; at: string }) {
  const moment = answer?.moment;
  const email = answer?.data.email;
  const whose = answer ? (email ?? 'a deleted account') : 'a user';
  return (
    <>
      <PastBanner shown={{ at, moment }} now={nowOf(userId, email)} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="min-w-0 flex-1 basis-64 text-xl wrap-anywhere sm:text-2xl">Bill of {whose}</h1>
        <div className="flex flex-wrap items-end gap-2">
          <MomentForm time={timeOf({ at, moment })} onShow={onMove} />
          {moment && (
            // At the present, shows the last 30 days.
            <Link
              to={changesPath('bill', userId, moment.now ? monthBefore(Date.parse(moment.time)) : atOf(moment))}
              className={buttonClasses('secondary')}
            >
              {moment.now ? 'What changed' : 'What changed since'}
            </Link>
          )}
        </div>
      </div>
    </>
  );
}

function Bill({ answer: { moment, data }, userId, at, onMove }: Moving & { answer: PastBillResponse; at: string }) {
  const { billing, history, more } = data;
  return (
    <>
      <Life userId={userId} asked={at} position={moment.position} onMove={onMove} />
      <Card title="Plan and balance">
        <PlanFacts billing={billing} />
        <h3 className="mt-4 mb-1 text-sm text-muted">History{more && ', the newest 100'}</h3>
        {history.length === 0 ? (
          <p className="text-muted">No payments and no credits yet.</p>
        ) : (
          <BillRows userId={userId} rows={history} />
        )}
      </Card>
    </>
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

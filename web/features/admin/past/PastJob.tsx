import { useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { PastJobResponse } from '../../../../src/http/contract/admin/past.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { adminJobPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { pagesText } from '../../../ui/jobs/jobStatus.ts';
import { StageList } from '../../../ui/jobs/StageList.tsx';
import { StatusBadge } from '../../../ui/jobs/StatusBadge.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { hostWithoutWww } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { PaidBy } from '../jobs/job/JobFacts.tsx';
import { UserShares } from '../users/UserShares.tsx';
import { HistorySlider } from './HistorySlider.tsx';
import { atOf, timeOf } from './momentText.ts';
import { Erased, MomentForm, PastBanner } from './PastBanner.tsx';
import { PastReport } from './PastReport.tsx';
import { pathOf } from './pastAddress.ts';
import { type JobThen, useGetJobStepsQuery, useGetPastJobQuery, useGetPastSharesQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

interface Moving {
  readonly then: JobThen;
  readonly onMove: (at: string) => void;
}

/** A past state of a job, with a slider over its events. */
export function PastJob({ then, onMove }: Moving) {
  const query = useGetPastJobQuery(then);
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the job"
        textOf={pastFailure('There is no such job.')}
        above={(answer) => !answer?.erased && <Head answer={answer} then={then} onMove={onMove} />}
      >
        {(answer) => <Answered answer={answer} then={then} onMove={onMove} />}
      </AdminAnswer>
    </div>
  );
}

function Head({ answer, then: { jobId, at }, onMove }: Moving & { answer: PastJobResponse | undefined }) {
  const moment = answer?.moment;
  return (
    <>
      <PastBanner shown={{ at, moment }} now={adminJobPath(jobId)} />
      <div className="flex flex-wrap items-end justify-between gap-4">
        {answer?.data ? (
          <Heading data={answer.data} at={atOf(answer.moment)} />
        ) : (
          <h1 className="text-xl sm:text-2xl">A job</h1>
        )}
        <MomentForm time={timeOf({ at, moment })} onShow={onMove} />
      </div>
    </>
  );
}

function Answered({ answer: { moment, erased, data }, then, onMove }: Moving & { answer: PastJobResponse }) {
  if (erased) return <Erased what="job" erased={erased} />;
  return (
    <>
      <Life jobId={then.jobId} asked={then.at} position={moment.position} onMove={onMove} />
      {data ? (
        <Job data={data} then={{ jobId: then.jobId, at: moment.position }} />
      ) : (
        <p className="text-muted">It didn’t exist at that time.</p>
      )}
    </>
  );
}

function Life({ jobId, ...shown }: { jobId: string; asked: string; position: string; onMove: (at: string) => void }) {
  const query = useGetJobStepsQuery(jobId);
  return (
    <AdminAnswer query={query} title="Failed to load its events" textOf={pastFailure('There is no such job.')}>
      {(steps) => <HistorySlider steps={steps} {...shown} />}
    </AdminAnswer>
  );
}

type Shown = NonNullable<PastJobResponse['data']>;

function Heading({ data: { job, owner }, at }: { data: Shown; at: string }) {
  return (
    <header className="min-w-0 flex-1 basis-64 space-y-1">
      <h1 className="text-xl wrap-anywhere sm:text-2xl">{hostWithoutWww(job.host)}</h1>
      <p className="font-mono text-sm text-muted wrap-anywhere">{job.url}</p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <StatusBadge status={job.status} />
        {job.completed_at === null && (
          <span className="tabular-nums">{[`${job.progress}%`, pagesText(job)].filter(Boolean).join(' · ')}</span>
        )}
        <Link
          to={pathOf({ view: 'jobs', userId: owner.id, status: 'all', search: '', at })}
          className="underline underline-offset-2"
        >
          Jobs of {owner.email ?? 'a deleted account'} at that time
        </Link>
        <Link to={pathOf({ view: 'bill', userId: owner.id, at })} className="underline underline-offset-2">
          Billing at that time
        </Link>
      </p>
    </header>
  );
}

function Job({ data: { job, paid, report, parked }, then }: { data: Shown; then: JobThen }) {
  const unlimited = useSelector(selectUnlimited);
  return (
    <>
      {parked && (
        <Notice tone="caution" title="One of its events could not be applied">
          <p>Screens at that time showed it as it was before that event.</p>
        </Notice>
      )}
      {job.reason && <p className="max-w-[70ch]">{job.reason}</p>}
      <Card title="Stages">
        <StageList stages={job.stages} />
      </Card>
      <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
        {!unlimited && <PaidBy paid={paid} />}
        <Shares then={then} />
      </div>
      {report && <ReportOnDemand then={then} host={job.host} />}
    </>
  );
}

function Shares({ then }: { then: JobThen }) {
  const query = useGetPastSharesQuery(then);
  return (
    <AdminAnswer query={query} title="Failed to load the shared links" textOf={pastFailure('There is no such job.')}>
      {({ data, moment }) => <UserShares shares={data ?? []} then={Date.parse(timeOf({ at: then.at, moment }))} />}
    </AdminAnswer>
  );
}

/** Opening a report takes a separate click, so that no admin reads one in passing. Once open, it follows the slider. */
function ReportOnDemand({ then, host }: { then: JobThen; host: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Report">
      {open ? (
        <PastReport then={then} host={host} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => setOpen(true)}>Open report</Button>
          <p className="text-sm text-muted">As its owner saw it. Opening another user’s report is logged.</p>
        </div>
      )}
    </Card>
  );
}

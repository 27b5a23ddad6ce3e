import { type ReactNode, useCallback } from 'react';
import { useNavigate } from 'react-router-dom';
import type { JobView } from '../../../../../src/http/contract/jobs.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { jobPath } from '../../../../ui/paths.ts';
import { type AskToSpend, useRunAgain } from '../../useRunAgain.tsx';
import { RECORDED_SINCE } from './pageWords.ts';

/** For what audits of earlier versions did not record: a new audit will. */
export function RecordedSince({ job, Ask, what }: { job: JobView; Ask: AskToSpend; what: string }) {
  return (
    <NewAudit job={job} Ask={Ask}>
      Recorded since version {RECORDED_SINCE}: {what}. This audit is of an earlier one.
    </NewAudit>
  );
}

/** Why something is missing that a new audit of the site has. */
export function NewAudit({ job, Ask, children }: { job: JobView; Ask: AskToSpend; children: ReactNode }) {
  const navigate = useNavigate();
  const { run, again, problem, question } = useRunAgain(
    Ask,
    useCallback(({ id }: JobView) => void navigate(jobPath(id)), [navigate]),
  );
  return (
    <Notice tone="info">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="min-w-0 flex-1 basis-64">{children}</p>
        <Button busy={again !== null} onClick={() => run(job)}>
          Run the audit again
        </Button>
      </div>
      {problem}
      {question}
    </Notice>
  );
}

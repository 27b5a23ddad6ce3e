import { type ComponentType, type ReactNode, useCallback, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { isCreditsFailure } from '../../api/creditsFailure.ts';
import { asFailure } from '../../api/failure.ts';
import { FieldError } from '../../ui/form/Field.tsx';
import { RefusalHelp } from '../../ui/form/RefusalHelp.tsx';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useSubmitJobMutation } from './jobsApi.ts';
import { creditsRefused } from './jobsSlice.ts';

/** The dialog that asks before an audit is paid for; null when the next one costs nothing. */
export type AskToSpend = ComponentType<{
  title: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
}> | null;

/** Resubmits a job's address and crawl settings as a new job, paid for like any other. `onStarted` gets the new one. */
export function useRunAgain(Ask: AskToSpend, onStarted: (job: JobView) => void) {
  const [submit] = useSubmitJobMutation();
  /** The job that is being resubmitted. */
  const [again, setAgain] = useState<string | null>(null);
  const [problem, setProblem] = useState<ReactNode>(null);
  const dispatch = useDispatch();
  const [asked, setAsked] = useState<JobView | null>(null);
  const submitAgain = useCallback(
    async ({ id, url, settings }: JobView): Promise<void> => {
      setProblem(null);
      setAgain(id);
      const { data, error } = await submit({ url, ...(settings ? { options: settings } : {}) });
      setAgain(null);
      if (data) return onStarted(data);
      const failure = asFailure(error);
      if (isCreditsFailure(failure)) dispatch(creditsRefused(failure));
      else
        setProblem(
          <>
            <FieldError>{failure.message || 'Processing failed'}</FieldError>
            <RefusalHelp code={failure.code} />
          </>,
        );
    },
    [submit, dispatch, onStarted],
  );
  const run = useCallback((job: JobView): void => (Ask ? setAsked(job) : void submitAgain(job)), [Ask, submitAgain]);
  const confirm = (): void => {
    setAsked(null);
    if (asked) void submitAgain(asked);
  };
  const question = asked && Ask && (
    <Ask
      title={`Run ${hostWithoutWww(asked.host)} again?`}
      confirm="Run again"
      onConfirm={confirm}
      onClose={() => setAsked(null)}
    />
  );
  return { run, again, problem, question };
}

import { useCallback, useState } from 'react';
import { useDispatch } from 'react-redux';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { isCreditsFailure } from '../../api/creditsFailure.ts';
import { asFailure } from '../../api/failure.ts';
import { useSubmitJobMutation } from './jobsApi.ts';
import { creditsRefused } from './jobsSlice.ts';

/** Resubmits a job's address as a new job, paid for like any other. `onStarted` gets the new one. */
export function useRunAgain(onStarted: (job: JobView) => void) {
  const [submit] = useSubmitJobMutation();
  /** The job that is being resubmitted. */
  const [again, setAgain] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const dispatch = useDispatch();
  const run = useCallback(
    async ({ id, url }: JobView): Promise<void> => {
      setProblem(null);
      setAgain(id);
      const { data, error } = await submit({ url });
      setAgain(null);
      if (data) return onStarted(data);
      const failure = asFailure(error);
      if (isCreditsFailure(failure)) dispatch(creditsRefused(failure));
      else setProblem(failure.message || 'Processing failed');
    },
    [submit, dispatch, onStarted],
  );
  return { run, again, problem };
}

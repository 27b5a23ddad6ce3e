import { useCallback, useEffect, useState } from 'react';
import type { SampleResponse, SampleView } from '../../../src/http/contract/sample.ts';
import { callApi } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';

/** Fetched without a session, as the page is for visitors. */
export function useSample(): {
  readonly sample: SampleView | null;
  readonly failure: ApiFailure | null;
  readonly retry: () => void;
} {
  const [sample, setSample] = useState<SampleView | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks again.
  useEffect(() => {
    const gone = new AbortController();
    void callApi({ path: '/api/v1/sample' }, null, gone.signal).then(({ data, failure: refusal }) => {
      if (gone.signal.aborted) return;
      setSample(refusal ? null : (data as SampleResponse).data);
      setFailure(refusal ?? null);
    });
    return () => gone.abort();
  }, [round]);
  return { sample, failure, retry: useCallback(() => setRound((before) => before + 1), []) };
}

import { Suspense, useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { isCreditsFailure } from '../../../api/creditsFailure.ts';
import type { ApiFailure } from '../../../api/failure.ts';
import { Card } from '../../../ui/Card.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { Loading } from '../../../ui/Spinner.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { creditsRefused } from '../jobsSlice.ts';
import { SingleForm } from './SingleForm.tsx';

const BatchForm = lazily(() => import('./BatchForm.tsx'), 'BatchForm');

const CHOICES = [
  { value: 'single', label: 'Single' },
  { value: 'batch', label: 'Batch' },
];
const MESSAGE_MS = 3000;

/** `demoSite`: a site to try the product on; `batchLimit`: maximum number of lines in a batch. */
export function SubmitPanel({ demoSite, batchLimit }: { demoSite: string | null; batchLimit: number }) {
  const [tab, setTab] = useState('single');
  const [message, setMessage] = useState('');
  const dispatch = useDispatch();

  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(''), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);

  /** True when the error is shown elsewhere on the screen. */
  const refused = useCallback(
    (failure: ApiFailure): boolean => {
      if (!isCreditsFailure(failure)) return false;
      dispatch(creditsRefused(failure));
      return true;
    },
    [dispatch],
  );

  return (
    <Card title="Audit a site" className="sm:p-6">
      <Tabs
        label="How many addresses"
        value={tab}
        choices={CHOICES}
        onChange={setTab}
        panelClassName="mt-3"
        aside={
          <p role="status" className="text-sm text-good">
            {message}
          </p>
        }
      >
        {tab === 'single' ? (
          <SingleForm demoSite={demoSite} onRefused={refused} onSubmitted={setMessage} />
        ) : (
          <Suspense fallback={<Loading />}>
            <BatchForm limit={batchLimit} onRefused={refused} onSubmitted={setMessage} />
          </Suspense>
        )}
      </Tabs>
    </Card>
  );
}

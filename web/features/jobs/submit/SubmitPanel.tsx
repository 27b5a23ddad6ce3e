import { Suspense, useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { isCreditsFailure } from '../../../api/creditsFailure.ts';
import type { ApiFailure } from '../../../api/failure.ts';
import { Card } from '../../../ui/Card.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { Loading } from '../../../ui/Spinner.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { creditsRefused } from '../jobsSlice.ts';
import { useCrawlSettings } from './CrawlSettingsSection.tsx';
import { SingleForm } from './SingleForm.tsx';

const BatchForm = lazily(() => import('./BatchForm.tsx'), 'BatchForm');

const CHOICES = [
  { value: 'single', label: 'Single' },
  { value: 'batch', label: 'Batch' },
];
const MESSAGE_MS = 3000;

interface SubmitPanelProps {
  /** A site to try the product on. */
  demoSite: string | null;
  /** Lines in a batch. */
  batchLimit: number;
  /** Pages of an audit; 0 if that is not known. */
  pageLimit: number;
}

export function SubmitPanel({ demoSite, batchLimit, pageLimit }: SubmitPanelProps) {
  const settings = useCrawlSettings(pageLimit);
  const [tab, setTab] = useState('single');
  const [message, setMessage] = useState('');
  const dispatch = useDispatch();
  // A message about what was sent before must not stand beside the next form's error.
  const choose = (choice: string): void => {
    setMessage('');
    setTab(choice);
  };

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
        onChange={choose}
        panelClassName="mt-3"
        aside={
          <p role="status" className="text-sm text-good">
            {message}
          </p>
        }
      >
        {tab === 'single' ? (
          <SingleForm settings={settings} demoSite={demoSite} onRefused={refused} onMessage={setMessage} />
        ) : (
          <Suspense fallback={<Loading />}>
            <BatchForm settings={settings} limit={batchLimit} onRefused={refused} onMessage={setMessage} />
          </Suspense>
        )}
      </Tabs>
    </Card>
  );
}

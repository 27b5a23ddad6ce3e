import { Suspense, useState } from 'react';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { Button } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';

const CancelJobDialog = lazily(() => import('./CancelJobDialog.tsx'), 'CancelJobDialog');

export function CancelAudit({ job, className }: { job: JobView; className?: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)} className={className}>
        Cancel audit
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <CancelJobDialog job={job} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

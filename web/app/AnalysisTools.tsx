import { Suspense, useState } from 'react';
import type { AnalysisView } from '../../src/http/contract/analyses.ts';
import { AnalysisBar } from '../features/analyses/AnalysisBar.tsx';
import { useGetJobQuery } from '../features/jobs/jobsApi.ts';
import { lazily } from '../ui/lazily.ts';
import { hostWithoutWww } from '../ui/text/wording.ts';

const ShareModal = lazily(() => import('../features/sharing/ShareModal.tsx'), 'ShareModal');

/** The bar above an audit's action items, and its share dialog. */
export function AnalysisTools() {
  const [sharing, setSharing] = useState<AnalysisView | null>(null);
  return (
    <>
      <AnalysisBar onShare={setSharing} />
      {sharing && (
        <Suspense fallback={null}>
          <Share analysis={sharing} onClose={() => setSharing(null)} />
        </Suspense>
      )}
    </>
  );
}

function Share({ analysis, onClose }: { analysis: AnalysisView; onClose: () => void }) {
  const { data: job, isLoading } = useGetJobQuery(analysis.jobId);
  // What may be shared depends on what the owner can see; the lesser access while that is unknown.
  return isLoading ? null : (
    <ShareModal
      jobId={analysis.jobId}
      host={hostWithoutWww(analysis.domain)}
      access={job?.access ?? 'preview'}
      onClose={onClose}
    />
  );
}

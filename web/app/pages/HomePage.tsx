import { Suspense } from 'react';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { selectStatus, selectUnlimited } from '../../api/system.ts';
import { SubscriptionPanel } from '../../features/account/subscription/SubscriptionPanel.tsx';
import { selectIsAdmin } from '../../features/auth/authSlice.ts';
import { JobsPanel } from '../../features/jobs/list/JobsPanel.tsx';
import { QuickStats } from '../../features/jobs/list/QuickStats.tsx';
import { SubmitPanel } from '../../features/jobs/submit/SubmitPanel.tsx';
import { lazily } from '../../ui/lazily.ts';
import { NeedHelp } from '../../ui/NeedHelp.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { useAskToSpend } from '../buying/usePaid.ts';
import { HomeEmailNote } from '../HomeEmailNote.tsx';

const PromotionNote = lazily(() => import('../buying/PromotionNote.tsx'), 'PromotionNote');
const ReportInAddress = lazily(() => import('../ReportInAddress.tsx'), 'ReportInAddress');

const DEFAULT_BATCH = 100;

export function HomePage() {
  usePageTitle('Recent jobs');
  const status = useSelector(selectStatus);
  const unlimited = useSelector(selectUnlimited);
  const isAdmin = useSelector(selectIsAdmin);
  const [search] = useSearchParams();
  const Ask = useAskToSpend();
  return (
    <>
      <h1 className="sr-only">Dashboard</h1>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_300px] xl:gap-6">
        <div className="min-w-0 space-y-4 xl:space-y-6">
          <HomeEmailNote />
          {status && status.payments !== 'off' && (
            <Suspense fallback={null}>
              <PromotionNote />
            </Suspense>
          )}
          <SubmitPanel
            demoSite={status?.demo_site ?? null}
            batchLimit={status?.limits.batch ?? DEFAULT_BATCH}
            pageLimit={status?.limits.max_pages ?? 0}
          />
          <JobsPanel onReload={() => location.reload()} Ask={Ask} />
        </div>
        <aside aria-label="Your account" className="grid content-start gap-4 sm:grid-cols-2 lg:grid-cols-1">
          {!unlimited && <SubscriptionPanel isAdmin={isAdmin} />}
          <QuickStats />
          {status?.support_email && <NeedHelp email={status.support_email} />}
        </aside>
      </div>
      {search.has('report') && (
        <Suspense fallback={null}>
          <ReportInAddress />
        </Suspense>
      )}
    </>
  );
}

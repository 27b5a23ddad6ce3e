import { AnalyticsScreen } from '../../../features/admin/analytics/AnalyticsScreen.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminAnalyticsPage() {
  usePageTitle('Analytics');
  return (
    <div className="space-y-4">
      <header>
        <h1 className="text-xl sm:text-2xl">Analytics</h1>
        <p className="mt-1 max-w-[70ch] text-muted">
          Sign-ups, retention and revenue, counted from the event log: no cookies, no third parties.
        </p>
      </header>
      <AnalyticsScreen />
    </div>
  );
}

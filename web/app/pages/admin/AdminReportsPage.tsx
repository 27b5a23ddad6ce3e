import { ReportsScreen } from '../../../features/admin/reports/ReportsScreen.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminReportsPage() {
  usePageTitle('Reports');
  return (
    <div className="space-y-4">
      <header>
        <h1 className="text-xl sm:text-2xl">Reports</h1>
        <p className="mt-1 max-w-[70ch] text-muted">Figures from the whole event log, as of now or any earlier day.</p>
      </header>
      <ReportsScreen />
    </div>
  );
}

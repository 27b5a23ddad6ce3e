import { Problems } from '../../../features/admin/system/Problems.tsx';
import { SystemOperations } from '../../../features/admin/system/SystemOperations.tsx';
import { SystemStatus } from '../../../features/admin/system/SystemStatus.tsx';
import { statusLabel } from '../../../ui/jobs/jobStatus.ts';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminSystemPage() {
  usePageTitle('System Status');
  return (
    <div className="space-y-4">
      <h1 className="text-xl sm:text-2xl">System Status</h1>
      <Problems />
      <SystemStatus statusLabel={statusLabel} />
      <SystemOperations />
    </div>
  );
}

import { AllJobs } from '../../../features/admin/jobs/AllJobs.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminJobsPage() {
  usePageTitle('Job Management');
  return <AllJobs />;
}

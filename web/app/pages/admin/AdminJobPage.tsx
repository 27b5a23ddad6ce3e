import { useParams } from 'react-router-dom';
import { AdminJob } from '../../../features/admin/jobs/job/AdminJob.tsx';
import { usePageTitle } from '../../../ui/pageTitle.ts';

export function AdminJobPage() {
  const { jobId = '' } = useParams();
  usePageTitle('A job');
  return <AdminJob key={jobId} jobId={jobId} />;
}

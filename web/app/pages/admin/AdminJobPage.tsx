import { useParams } from 'react-router-dom';
import { AdminJob } from '../../../features/admin/jobs/job/AdminJob.tsx';

export function AdminJobPage() {
  const { jobId = '' } = useParams();
  return <AdminJob key={jobId} jobId={jobId} />;
}

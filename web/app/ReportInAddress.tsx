import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { selectStatus } from '../api/system.ts';
import { FileViewer } from '../features/jobs/FileViewer.tsx';
import { useListJobsQuery } from '../features/jobs/jobsApi.ts';
import { reportSearch } from '../ui/paths.ts';

/** The report named by the page's address, opened over the current page. */
export function ReportInAddress() {
  const [search, setSearch] = useSearchParams();
  const { data: jobs } = useListJobsQuery();
  const status = useSelector(selectStatus);
  const jobId = search.get('report') ?? '';
  const close = (): void =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      next.delete('report');
      next.delete('file');
      return next;
    });
  return (
    <FileViewer
      jobId={jobId}
      job={jobs?.jobs[jobId] ?? null}
      file={search.get('file')}
      developmentMode={status?.auth_system.development_mode ?? false}
      onFile={(file) => setSearch((current) => reportSearch(current, jobId, file), { replace: true })}
      onClose={close}
    />
  );
}

import type { JobView } from '../../../src/http/contract/jobs.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { hostWithoutWww } from '../../ui/wording.ts';
import { groupOf } from './jobStatus.ts';
import { useDeleteJobMutation } from './jobsApi.ts';

export function DeleteJobDialog({ job, onClose }: { job: JobView; onClose: () => void }) {
  const [deleteJob, { isLoading, error }] = useDeleteJobMutation();
  const host = hostWithoutWww(job.host);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await deleteJob(job.id);
    if (!refusal || asFailure(refusal).status === 404) onClose();
  };
  return (
    <Dialog
      asks
      title={`Delete ${host}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button look="danger" busy={isLoading} onClick={() => void confirm()}>
            Delete {host}
          </Button>
        </>
      }
    >
      <p>
        {groupOf(job.status) === 'completed'
          ? `The SEO audit report, action recommendations and executive summary of ${host} are permanently deleted.`
          : `The job for ${host} is removed from history.`}{' '}
        This cannot be undone.
      </p>
      {error && asFailure(error).status !== 404 && (
        <Notice tone="bad" className="mt-3">
          <p>Failed to delete job: {asFailure(error).message || 'Delete failed'}</p>
        </Notice>
      )}
    </Dialog>
  );
}

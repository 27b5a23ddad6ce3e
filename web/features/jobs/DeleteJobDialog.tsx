import type { JobView } from '../../../src/http/contract/jobs.ts';
import { groupOf } from '../../../src/model/jobs.ts';
import { asFailure } from '../../api/failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useDeleteJobMutation } from './jobsApi.ts';

interface DeleteJobDialogProps {
  job: JobView;
  onClose: () => void;
  /** Called once it is deleted. */
  onDeleted?: () => void;
}

export function DeleteJobDialog({ job, onClose, onDeleted }: DeleteJobDialogProps) {
  const [deleteJob, { isLoading, error }] = useDeleteJobMutation();
  const host = hostWithoutWww(job.host);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await deleteJob(job.id);
    if (refusal && asFailure(refusal).status !== 404) return;
    onClose();
    onDeleted?.();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Delete ${host}?`}
      onClose={onClose}
      cancel="Keep it"
      submit={`Delete ${host}`}
      busy={isLoading}
      problem={error && asFailure(error).status !== 404 && problemText(error)}
      onSubmit={confirm}
    >
      <p>
        {groupOf(job.status) === 'completed'
          ? `The SEO audit report, action recommendations and executive summary of ${host} are permanently deleted.`
          : `The job for ${host} is removed from history.`}{' '}
        This cannot be undone.
      </p>
    </FormDialog>
  );
}

/** The server's message for an error response; otherwise the error's own. */
function problemText(error: unknown): string {
  const { status, message } = asFailure(error);
  return status === 0 ? `Error: ${message || 'Network error'}` : `Failed to delete job: ${message || 'Delete failed'}`;
}

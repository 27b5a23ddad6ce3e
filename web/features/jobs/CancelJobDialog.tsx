import { useSelector } from 'react-redux';
import type { JobView } from '../../../src/http/contract/jobs.ts';
import { asFailure } from '../../api/failure.ts';
import { selectUnlimited } from '../../api/system.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useCancelJobMutation } from './jobsApi.ts';

export function CancelJobDialog({ job, onClose }: { job: JobView; onClose: () => void }) {
  const [cancel, { isLoading, error }] = useCancelJobMutation();
  const unlimited = useSelector(selectUnlimited);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await cancel(job.id);
    if (!refusal) onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Cancel the audit of ${hostWithoutWww(job.host)}?`}
      onClose={onClose}
      cancel="Keep it running"
      submit="Cancel audit"
      busy={isLoading}
      problem={(error && asFailure(error).message) || 'The audit could not be canceled.'}
      onSubmit={confirm}
    >
      <p>It stops at once and can’t be continued, only run again from the start.</p>
      {!unlimited && !job.files.includes('findings.json') && (
        <p className="mt-2">Canceled before the first findings, an audit isn’t counted (up to 10 a day).</p>
      )}
    </FormDialog>
  );
}

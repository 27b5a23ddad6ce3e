import type { JobView } from '../../../src/http/contract/jobs.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useCancelJobMutation } from './jobsApi.ts';

export function CancelJobDialog({ job, onClose }: { job: JobView; onClose: () => void }) {
  const [cancel, { isLoading, error }] = useCancelJobMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await cancel(job.id);
    if (!refusal) onClose();
  };
  return (
    <Dialog
      asks
      title={`Cancel the audit of ${hostWithoutWww(job.host)}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it running</Button>
          <Button variant="danger" busy={isLoading} onClick={() => void confirm()}>
            Cancel audit
          </Button>
        </>
      }
    >
      <p>It stops at once and can’t be continued, only run again from the start.</p>
      {error && (
        <Notice tone="bad" className="mt-3">
          <p>{asFailure(error).message || 'The audit could not be cancelled.'}</p>
        </Notice>
      )}
    </Dialog>
  );
}

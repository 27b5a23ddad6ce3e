import { useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { AdminJobResponse, AdminJobView } from '../../../../../src/http/contract/admin/jobs.ts';
import { newKey } from '../../../../api/call.ts';
import { textOf } from '../../../../api/failure.ts';
import { selectUnlimited } from '../../../../api/system.ts';
import { adminJobPath } from '../../../../ui/adminPaths.ts';
import { Button } from '../../../../ui/Button.tsx';
import { FormDialog } from '../../../../ui/overlay/FormDialog.tsx';
import { hostWithoutWww } from '../../../../ui/text/wording.ts';
import { useCancelAnyJobMutation, useRetryAnyJobMutation } from '../adminJobsApi.ts';

/** Actions on the job, on behalf of its owner if that is another user. Each asks for confirmation. */
export function JobControls({ shown: { job, own, owner, can } }: { shown: AdminJobResponse['data'] }) {
  const [confirming, setConfirming] = useState<'cancel' | 'retry' | null>(null);
  const [cancel, cancelling] = useCancelAnyJobMutation();
  const [retry, retrying] = useRetryAnyJobMutation();
  // The same answer starts one job, however often it is sent.
  const [key, setKey] = useState(newKey);
  const [made, setMade] = useState<AdminJobView | null>(null);
  const host = hostWithoutWww(job.host);
  const unlimited = useSelector(selectUnlimited);
  const behalf = own ? '' : ` on behalf of ${owner.email ?? 'its owner'}`;
  const close = (): void => {
    setConfirming(null);
    // Reopening the dialog clears its previous error.
    cancelling.reset();
    retrying.reset();
  };
  const confirmCancel = async (): Promise<void> => {
    const { error } = await cancel(job.id);
    if (!error) close();
  };
  const confirmRetry = async (): Promise<void> => {
    const { data, error } = await retry({ jobId: job.id, key });
    if (error) return;
    setMade(data ?? null);
    setKey(newKey());
    close();
  };
  return (
    <div className="contents">
      {can.cancel && (
        <Button variant="danger" onClick={() => setConfirming('cancel')}>
          Cancel job…
        </Button>
      )}
      {can.retry && <Button onClick={() => setConfirming('retry')}>Run again…</Button>}
      <p role="status" className="self-center text-sm text-good empty:absolute">
        {made && (
          <>
            A new job was started.{' '}
            <Link to={adminJobPath(made.id)} className="underline">
              Open it
            </Link>
          </>
        )}
      </p>
      {confirming === 'cancel' && (
        <FormDialog
          asks
          danger
          title={`Cancel the audit of ${host}?`}
          cancel="Keep it running"
          submit="Cancel job"
          busy={cancelling.isLoading}
          problem={cancelling.error && textOf(cancelling.error, 'The job could not be canceled.')}
          onClose={close}
          onSubmit={confirmCancel}
        >
          <p>
            It is canceled{behalf}.{unlimited ? '' : ' Without findings, what it was paid with is returned.'}
          </p>
        </FormDialog>
      )}
      {confirming === 'retry' && (
        <FormDialog
          asks
          danger
          title={`Run the audit of ${host} again?`}
          cancel="Not now"
          submit="Run again"
          busy={retrying.isLoading}
          problem={retrying.error && textOf(retrying.error, 'The job could not be run again.')}
          onClose={close}
          onSubmit={confirmRetry}
        >
          <p>
            A new job of the same URL is started{behalf}.
            {!unlimited && ' Nobody is charged for it, and it gets the full report.'}
          </p>
        </FormDialog>
      )}
    </div>
  );
}

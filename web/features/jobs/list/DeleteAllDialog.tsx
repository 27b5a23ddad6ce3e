import { useSelector } from 'react-redux';
import { textOf } from '../../../api/failure.ts';
import { selectUnlimited } from '../../../api/system.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { count } from '../../../ui/text/wording.ts';
import { useDeleteAllJobsMutation } from '../jobsApi.ts';
import type { countJobs } from './jobsOrder.ts';

interface DeleteAllDialogProps {
  counts: ReturnType<typeof countJobs>;
  onClose: () => void;
}

/** Confirms deleting the whole list ('Clear all' in the specification). */
export function DeleteAllDialog({
  counts: { all: number, completed, processing: running },
  onClose,
}: DeleteAllDialogProps) {
  const [deleteAll, { isLoading, error }] = useDeleteAllJobsMutation();
  const unlimited = useSelector(selectUnlimited);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await deleteAll();
    if (!refusal) onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Delete ${number === 1 ? 'your job' : `all ${count(number, 'job')}`}?`}
      onClose={onClose}
      cancel="Keep them"
      submit="Delete All"
      busy={isLoading}
      problem={error && textOf(error, 'Clear failed')}
      onSubmit={confirm}
    >
      <p>
        {completed > 0
          ? `${lostText(completed)} permanently deleted.`
          : number === 1
            ? 'It is removed from history.'
            : 'They are removed from history.'}{' '}
        This cannot be undone.
      </p>
      {running > 0 && (
        <p className="mt-2 text-muted">
          {count(running, 'running audit is', 'running audits are')} canceled.
          {!unlimited && ' Audits without findings aren’t counted.'}
        </p>
      )}
    </FormDialog>
  );
}

function lostText(completed: number): string {
  return completed === 1
    ? 'The SEO audit report, action recommendations and executive summary of 1 completed job are'
    : `The SEO audit reports, action recommendations and executive summaries of ${count(completed, 'completed job')} are`;
}

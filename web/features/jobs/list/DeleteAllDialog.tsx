import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { count } from '../../../ui/text/wording.ts';
import { useDeleteAllJobsMutation } from '../jobsApi.ts';

export function DeleteAllDialog({ number, running, onClose }: { number: number; running: number; onClose: () => void }) {
  const [deleteAll, { isLoading, error }] = useDeleteAllJobsMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await deleteAll();
    if (!refusal) onClose();
  };
  return (
    <Dialog
      asks
      title={`Delete ${number === 1 ? 'your job' : `all ${count(number, 'job')}`}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep them</Button>
          <Button look="danger" busy={isLoading} onClick={() => void confirm()}>
            Clear all
          </Button>
        </>
      }
    >
      <p>Their SEO audit reports, action recommendations and executive summaries are permanently deleted. This cannot be undone.</p>
      {running > 0 && (
        <p className="mt-2 text-muted">
          {running === 1 ? 'The analysis under way is cancelled' : `The ${running} analyses under way are cancelled`}. What has no findings yet is given back to
          your allowance.
        </p>
      )}
      {error && (
        <Notice tone="bad" className="mt-3">
          <p>{textOf(error, 'Clear failed')}</p>
        </Notice>
      )}
    </Dialog>
  );
}

import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { count } from '../../ui/wording.ts';
import { useDeleteAllJobsMutation } from './jobsApi.ts';

export function DeleteAllDialog({ finished, running, onClose }: { finished: number; running: number; onClose: () => void }) {
  const [deleteAll, { isLoading, error }] = useDeleteAllJobsMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await deleteAll();
    if (!refusal) onClose();
  };
  return (
    <Dialog
      asks
      title={`Delete ${count(finished, 'finished job')}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep them</Button>
          <Button look="danger" busy={isLoading} onClick={() => void confirm()}>
            Delete all
          </Button>
        </>
      }
    >
      <p>Their SEO audit reports, action recommendations and executive summaries are permanently deleted. This cannot be undone.</p>
      {running > 0 && (
        <p className="mt-2 text-muted">
          {running === 1
            ? 'The analysis under way stays; cancel it first to delete it too.'
            : `The ${running} analyses under way stay; cancel them first to delete them too.`}
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

import type { AnalysisView } from '../../../src/http/contract/analyses.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useDeleteAnalysisMutation } from './analysesApi.ts';

interface DeleteAnalysisDialogProps {
  analysis: AnalysisView;
  onClose: () => void;
  onDeleted: () => void;
}

export function DeleteAnalysisDialog({ analysis, onClose, onDeleted }: DeleteAnalysisDialogProps) {
  const [remove, { isLoading, error }] = useDeleteAnalysisMutation();
  const host = hostWithoutWww(analysis.domain);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await remove(analysis.id);
    // Already deleted, e.g. in another tab.
    if (!refusal || asFailure(refusal).status === 404) onDeleted();
  };
  return (
    <Dialog
      asks
      title={`Delete the audit of ${host}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" busy={isLoading} onClick={() => void confirm()}>
            Delete analysis of {host}
          </Button>
        </>
      }
    >
      <p>This removes its actions, progress data and files. Its shared links will stop working. This cannot be undone.</p>
      {error && asFailure(error).status !== 404 && (
        <Notice tone="bad" className="mt-3">
          <p>Failed to delete analysis: {asFailure(error).message || 'please try again'}</p>
        </Notice>
      )}
    </Dialog>
  );
}

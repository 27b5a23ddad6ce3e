import type { AnalysisView } from '../../../src/http/contract/analyses.ts';
import { asFailure } from '../../api/failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
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
    <FormDialog
      asks
      danger
      title={`Delete the audit of ${host}?`}
      onClose={onClose}
      cancel="Keep it"
      submit={`Delete analysis of ${host}`}
      busy={isLoading}
      problem={
        error &&
        asFailure(error).status !== 404 &&
        `Failed to delete analysis: ${asFailure(error).message || 'please try again'}`
      }
      onSubmit={confirm}
    >
      <p>
        This removes its actions, progress data and files. Its shared links will stop working. This cannot be undone.
      </p>
    </FormDialog>
  );
}

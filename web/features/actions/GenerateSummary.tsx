import { Sparkles } from 'lucide-react';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { useGenerateSummaryMutation } from './actionsApi.ts';
import { useEarlierRework } from './earlierRework.ts';

/** Generates or regenerates the executive summary; an error is shown below the button. */
export function GenerateSummary({ jobId, there }: { jobId: string; there: boolean }) {
  const [generate, own] = useGenerateSummaryMutation();
  const earlier = useEarlierRework(jobId, 'summary');
  const isRunning = own.isLoading || earlier.isRunning;
  const error = own.isUninitialized ? earlier.error : own.error;
  return (
    <div className="print:hidden">
      <Button variant={there ? 'quiet' : 'secondary'} busy={isRunning} onClick={() => void generate(jobId)}>
        <Sparkles aria-hidden="true" size={14} />
        {there ? 'Generate Again' : 'Generate Executive Summary'}
      </Button>
      {error && !isRunning && <FieldError>{textOf(error, 'Failed to generate executive summary')}</FieldError>}
    </div>
  );
}

import { useId } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { isCreditsFailure } from '../../api/creditsFailure.ts';
import { asFailure } from '../../api/failure.ts';
import { selectUnlimited } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { count } from '../../ui/text/wording.ts';
import { useUnlockJobMutation } from './jobsApi.ts';
import { creditsRefused } from './jobsSlice.ts';

/** Unlocks a preview, which is then shown in full; without a sufficient balance it links to where more is sold. */
export function UnlockButton({ jobId, total }: { jobId: string; total: number }) {
  const dispatch = useDispatch();
  const [unlock, { isLoading, error }] = useUnlockJobMutation();
  const cost = useId();
  const unlimited = useSelector(selectUnlimited);
  const press = async (): Promise<void> => {
    const { error: refused } = await unlock(jobId);
    if (refused && isCreditsFailure(asFailure(refused))) dispatch(creditsRefused(asFailure(refused)));
  };
  const failure = error && !isCreditsFailure(asFailure(error)) ? asFailure(error) : null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {!unlimited && (
        <span id={cost} className="text-sm text-muted">
          Takes one audit from your plan, credits or funds.
        </span>
      )}
      <Button variant="primary" busy={isLoading} aria-describedby={unlimited ? undefined : cost} onClick={() => void press()}>
        Unlock all {count(total, 'action')}
      </Button>
      {failure && <FieldError>{failure.message || 'The preview couldn’t be unlocked. Please try again.'}</FieldError>}
    </div>
  );
}

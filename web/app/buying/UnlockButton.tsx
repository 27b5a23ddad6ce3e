import { Suspense, useId, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { isCreditsFailure } from '../../api/creditsFailure.ts';
import { asFailure } from '../../api/failure.ts';
import { selectUnlimited } from '../../api/system.ts';
import { useUnlockJobMutation } from '../../features/jobs/jobsApi.ts';
import { creditsRefused } from '../../features/jobs/jobsSlice.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { useToasts } from '../../ui/overlay/Toasts.tsx';
import { count } from '../../ui/text/wording.ts';
import { SpendDialog, usePaid } from './usePaid.ts';

interface UnlockButtonProps {
  jobId: string;
  total: number;
}

/**
 * Unlocks a preview, which is then shown in full, after a confirmation if it costs anything; without a sufficient
 * balance it links to where more is sold.
 */
export function UnlockButton({ jobId, total }: UnlockButtonProps) {
  const cost = useId();
  const unlimited = useSelector(selectUnlimited);
  const paid = usePaid();
  const [asking, setAsking] = useState(false);
  const unlocked = useRef(false);
  const label = `Unlock all ${count(total, 'action')}`;
  const { unlock, busy, problem } = useUnlock({ jobId, total });
  const unlockFree = async (): Promise<void> => {
    if ((await unlock(null)) === 'unlocked') tasksHeading()?.focus();
  };
  const spend = async (takes: string): Promise<void> => {
    const outcome = await unlock(takes);
    unlocked.current = outcome === 'unlocked';
    if (outcome !== 'failed') setAsking(false);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {!unlimited && (
        <span id={cost} className="text-sm text-muted">
          Takes one audit from your plan, credits or funds.
        </span>
      )}
      <Button
        variant="primary"
        busy={busy}
        aria-describedby={unlimited ? undefined : cost}
        onClick={() => (paid ? setAsking(true) : void unlockFree())}
      >
        {label}
      </Button>
      {problem && !asking && <FieldError>{problem}</FieldError>}
      {asking && (
        <Suspense fallback={null}>
          <SpendDialog
            title={`${label}?`}
            confirm={label}
            busy={busy}
            problem={problem}
            onConfirm={(takes) => void spend(takes)}
            onClose={() => setAsking(false)}
            // The button is removed with the locked tasks.
            returnTo={() => (unlocked.current ? tasksHeading() : null)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Of the first list; the board's columns are inside none. */
const tasksHeading = (): HTMLElement | null =>
  document.querySelector('main h2[tabindex="-1"]') ?? document.querySelector('main h1');

/** `refused`: for lack of audits, which a dialog of the whole app explains. */
type Outcome = 'unlocked' | 'refused' | 'failed';

function useUnlock({ jobId, total }: UnlockButtonProps) {
  const dispatch = useDispatch();
  const say = useToasts();
  const [call, { isLoading: busy, error }] = useUnlockJobMutation();
  /** `takes`: what it takes, such as '$50.00 of your funds'; null for nothing. */
  const unlock = async (takes: string | null): Promise<Outcome> => {
    const { error: refused } = await call(jobId);
    if (!refused) {
      say('unlocked', {
        text: `${count(total, 'action is', 'actions are')} unlocked.${takes ? ` This used ${takes}.` : ''}`,
      });
      return 'unlocked';
    }
    const failure = asFailure(refused);
    if (!isCreditsFailure(failure)) return 'failed';
    dispatch(creditsRefused({ ...failure, unlocks: total }));
    return 'refused';
  };
  const failure = error && !isCreditsFailure(asFailure(error)) ? asFailure(error) : null;
  return {
    unlock,
    busy,
    problem: failure && (failure.message || 'The preview couldn’t be unlocked. Please try again.'),
  };
}

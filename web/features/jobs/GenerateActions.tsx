import { Check, Sparkles, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { asFailure } from '../../api/failure.ts';
import { accessToken } from '../../api/tokens.ts';
import { Button } from '../../ui/Button.tsx';
import { actionsPath } from '../../ui/paths.ts';
import { hostWithoutWww } from '../../ui/text/wording.ts';
import { useCheckJobQuery, useGenerateActionsMutation } from './generateApi.ts';
import { type ActionsButtonProps, ViewActions } from './ViewActions.tsx';

const LEAVE_MS = 1000;
const MESSAGE_MS = 3000;

type Outcome = { readonly state: 'done'; readonly number: number } | { readonly state: 'error'; readonly text: string };

const TOO_OLD = 'This analysis is too old. Please run a new analysis to generate actions.';
const NO_TOKEN = 'No authentication token found. Please log in again.';

/** For a finished job without action items in the list. */
export function GenerateActions({
  job,
  variant = 'quiet',
  onWorking,
}: ActionsButtonProps & { onWorking: (working: boolean) => void }) {
  const { data: check, isLoading: checking } = useCheckJobQuery(job.id);
  const [generate, { isLoading: running }] = useGenerateActionsMutation();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const navigate = useNavigate();
  const host = hostWithoutWww(job.host);

  const actions = actionsPath(job);

  useEffect(() => {
    if (!outcome) return;
    const leaves = outcome.state === 'done' && outcome.number > 0;
    const end = (): void => {
      if (leaves) void navigate(actions);
      setOutcome(null);
      onWorking(false);
    };
    const timer = setTimeout(end, leaves ? LEAVE_MS : MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [outcome, navigate, actions, onWorking]);

  const press = async (): Promise<void> => {
    if (!accessToken()) return setOutcome({ state: 'error', text: NO_TOKEN });
    onWorking(true);
    const { data, error } = await generate(job);
    setOutcome(
      data
        ? { state: 'done', number: data.number }
        : { state: 'error', text: problemText(error, job.folderPath === null) },
    );
  };

  if (checking) {
    return (
      <Button variant={plain(variant)} busy>
        Checking…
      </Button>
    );
  }
  if (check?.hasActions && !outcome) return <ViewActions job={job} variant={variant} number={check.actionCount} />;
  return (
    <>
      <Button
        variant={plain(variant)}
        busy={running || outcome?.state === 'done'}
        onClick={() => void press()}
        className={outcome?.state === 'error' ? 'text-bad' : ''}
      >
        {!running && <Sign outcome={outcome} />}
        {running ? 'Generating…' : outcome === null ? 'Generate Actions' : outcome.state === 'done' ? 'Done' : 'Error'}
        <span className="sr-only">for {host}</span>
      </Button>
      {outcome && (
        <span
          role={outcome.state === 'error' ? 'alert' : 'status'}
          className={
            outcome.state === 'error' ? 'basis-full px-2 text-sm text-bad' : 'basis-full px-2 text-sm text-muted'
          }
        >
          {outcome.state === 'error' ? outcome.text : outcome.number === 0 ? 'Nothing to act on was found.' : ''}
        </span>
      )}
    </>
  );
}

const plain = (variant: ActionsButtonProps['variant']): 'secondary' | 'quiet' =>
  variant === 'primary' ? 'secondary' : 'quiet';

function Sign({ outcome }: { outcome: Outcome | null }) {
  const Icon = outcome === null ? Sparkles : outcome.state === 'done' ? Check : TriangleAlert;
  return <Icon aria-hidden="true" size={14} />;
}

function problemText(error: unknown, hasNoFolder: boolean): string {
  const { status, code, message } = asFailure(error);
  if (code === 'AUTHENTICATION_REQUIRED') return NO_TOKEN;
  if (status === 404 && hasNoFolder) return TOO_OLD;
  return message || `Failed to generate actions (${status})`;
}

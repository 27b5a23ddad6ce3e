import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { authorizedCall } from '../../../api/authorizedCall.ts';
import { type ApiFailure, textOf } from '../../../api/failure.ts';
import { sessionEnded } from '../../../api/sessionEnded.ts';
import { raiseSessionEvent } from '../../../api/sessionEvents.ts';
import { Button } from '../../../ui/Button.tsx';
import { CodeField, codeHint, otherCode } from '../../../ui/form/CodeField.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** Replaces the admin pages in a session that was opened without a code; with one they go on, without a new log-in. */
export function EnterCode({ onDone }: { onDone: () => void }) {
  const dispatch = useDispatch();
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind of code has a field of its own.
  useEffect(() => field.current?.focus(), [recovering]);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(null);
    const body = recovering ? { recovery_code: code } : { code };
    const answer = await authorizedCall(
      { path: '/api/v1/auth/mfa/step-up', method: 'POST', body },
      () => void dispatch(sessionEnded()),
    );
    setBusy(false);
    if (!answer.failure) {
      raiseSessionEvent('mfa_challenge_verified');
      return onDone();
    }
    setFailure(answer.failure);
    field.current?.focus();
    field.current?.select();
  };
  const swap = (): void => {
    setRecovering(!recovering);
    setCode('');
    setFailure(null);
  };
  return (
    <div className="w-full max-w-sm">
      <h1 className="text-xl sm:text-2xl">Enter a code to open the admin pages</h1>
      <p className="mt-1 text-muted">You logged in without a code. {codeHint(recovering)}</p>
      <form aria-label="Enter a code" onSubmit={(event) => void send(event)} className="mt-4 space-y-4">
        {failure && (
          <Notice tone="bad">
            <p>
              {failure.status === 0
                ? 'Network error. Please try again.'
                : textOf(failure, 'That didn’t work. Please try again.')}
            </p>
          </Notice>
        )}
        <CodeField ref={field} recovering={recovering} value={code} onChange={setCode} />
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" type="submit" busy={busy}>
            Continue
          </Button>
          <Button variant="quiet" onClick={swap}>
            {otherCode(recovering)}
          </Button>
        </div>
      </form>
    </div>
  );
}

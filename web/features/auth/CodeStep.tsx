import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { LoginResponse } from '../../../src/http/contract/auth.ts';
import type { MfaVerifyRequest } from '../../../src/http/contract/mfa.ts';
import { textOf } from '../../api/failure.ts';
import { noPasskeysBecause } from '../../api/passkeys.ts';
import { raiseSessionEvent } from '../../api/sessionEvents.ts';
import { Button } from '../../ui/Button.tsx';
import { CodeField, codeHint, otherCode } from '../../ui/form/CodeField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { enter } from './enter.ts';
import { PasskeyEntry } from './OtherWays.tsx';
import type { AuthStore } from './session.ts';
import { useEntry } from './useEntry.ts';

const verify = (store: AuthStore, body: MfaVerifyRequest) =>
  verified(enter<LoginResponse>(store, 'login', { path: '/api/v1/auth/mfa/verify', method: 'POST', body }));

async function verified<Outcome extends { readonly failure?: unknown }>(entry: Promise<Outcome>): Promise<Outcome> {
  const outcome = await entry;
  if (!outcome.failure) raiseSessionEvent('mfa_challenge_verified');
  return outcome;
}

/** After the password: a code from the authenticator app or, without the phone, a recovery code. */
export function CodeStep({ challenge, onBack }: { challenge: string; onBack: () => void }) {
  const [recovering, setRecovering] = useState(false);
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { submit, busy, failure } = useEntry(verify, () => {
    field.current?.focus();
    field.current?.select();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the other kind of code has a field of its own.
  useEffect(() => field.current?.focus(), [recovering]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void submit({ mfa_token: challenge, ...(recovering ? { recovery_code: code } : { code }) });
  };
  const swap = (): void => {
    setRecovering(!recovering);
    setCode('');
  };
  // The challenge has expired: the user must enter the password again.
  const ended = failure?.code === 'MFA_CHALLENGE_ENDED';
  return (
    <div className="mx-auto w-full max-w-sm">
      <h1 className="text-2xl">Two-factor authentication</h1>
      <p className="mt-1 text-muted">{codeHint(recovering)}</p>
      <form onSubmit={send} className="mt-6 space-y-4">
        {failure && (
          <Notice tone="bad">
            <p>{textOf(failure, 'Login failed')}</p>
          </Notice>
        )}
        <CodeField ref={field} recovering={recovering} value={code} onChange={setCode} />
        {!ended && (
          <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
            Log in
          </Button>
        )}
      </form>
      {!ended && noPasskeysBecause() === null && (
        <div className="mt-3 space-y-3">
          <PasskeyEntry
            enter={async (store) => verified((await import('./passkeyLogIn.ts')).verifyByPasskey(store, challenge))}
          >
            Use a passkey
          </PasskeyEntry>
        </div>
      )}
      <div className="mt-4 flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
        {!ended && (
          <Button variant="quiet" className="-ml-2" onClick={swap}>
            {otherCode(recovering)}
          </Button>
        )}
        <Button variant={ended ? 'primary' : 'quiet'} onClick={onBack}>
          Back to log in
        </Button>
      </div>
    </div>
  );
}

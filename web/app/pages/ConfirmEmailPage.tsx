import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import type { ConfirmEmailResponse } from '../../../src/http/contract/security.ts';
import { callApi } from '../../api/call.ts';
import { type ApiFailure, textOf } from '../../api/failure.ts';
import { accessToken } from '../../api/tokens.ts';
import { ChooseOwnPassword } from '../../features/auth/ChooseOwnPassword.tsx';
import { refreshProfile } from '../../features/auth/session.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import type { AppStore } from '../store.ts';

/**
 * Whose password is needed: the one of the account whose own address the link confirms, or of one that moves to the
 * address.
 */
type Needed = 'own_address' | 'new_address';

const messageOf = (failure: ApiFailure): string =>
  failure.status === 0
    ? 'Network error. Please try again.'
    : failure.code === 'INVALID_CREDENTIALS'
      ? 'That’s not the password of this account.'
      : textOf(failure, 'Your email couldn’t be confirmed.');

/**
 * Target of the link in the confirmation email. It needs a click because link scanners must not confirm anything, and a
 * session of the account or its password because the address's reader may not be who set the account up.
 */
export function ConfirmEmailPage() {
  usePageTitle('Confirm your email');
  const store = useStore() as AppStore;
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const [busy, setBusy] = useState(false);
  const [needed, setNeeded] = useState<Needed | null>(null);
  const [password, setPassword] = useState('');
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [isSpent, setIsSpent] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (needed) field.current?.focus();
  }, [needed]);

  const confirm = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    const body = { token, ...(needed && password ? { password } : {}) };
    const { data, failure } = await callApi(
      { path: '/api/v1/auth/confirm-email', method: 'POST', body },
      accessToken(),
    );
    setBusy(false);
    if (failure?.code === 'PASSWORD_REQUIRED')
      return setNeeded(failure.reason === 'new_address' ? 'new_address' : 'own_address');
    if (failure) {
      setIsSpent(failure.code === 'CONFIRMATION_INVALID');
      field.current?.select();
      return setProblem(messageOf(failure));
    }
    setConfirmed((data as ConfirmEmailResponse).email);
    void refreshProfile(store);
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void confirm();
  };
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Confirm your email</h1>
      {problem && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {!token && confirmed === null && (
        <p className="text-muted">This link is incomplete. Please open it again from the email.</p>
      )}
      {token && confirmed === null && !isSpent && (
        <form onSubmit={send} className="space-y-4">
          <p className="text-muted">
            {needed
              ? WHY[needed]
              : 'If you signed up or changed your address, confirm it here. If you didn’t, close this page.'}
          </p>
          {needed && <PasswordField ref={field} value={password} onChange={setPassword} />}
          <Button variant="primary" type="submit" busy={busy}>
            Confirm email address
          </Button>
        </form>
      )}
      {token && confirmed === null && !isSpent && needed === 'own_address' && <ChooseOwnPassword token={token} />}
      {isSpent && (
        <Link to={paths.account} className={buttonClasses('primary')}>
          {accessToken() === null ? 'Log in' : 'Go to your account'}
        </Link>
      )}
      {confirmed !== null && (
        <>
          <div role="status">
            <Notice tone="good">
              <p className="wrap-anywhere">{confirmed} is confirmed.</p>
            </Notice>
          </div>
          <Link to={paths.home} className={buttonClasses('primary')}>
            Continue
          </Link>
        </>
      )}
    </div>
  );
}

const WHY: Readonly<Record<Needed, string>> = {
  own_address: 'Enter the password of the account with this address to confirm it.',
  new_address:
    'This link belongs to another account, or you’re not logged in. Enter the password of the account that is changing to this address.',
};

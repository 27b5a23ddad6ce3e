import { useState } from 'react';
import { useStore } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import type { ConfirmEmailResponse } from '../../../src/http/contract/security.ts';
import { callApi } from '../../api/call.ts';
import { textOf } from '../../api/failure.ts';
import { refreshProfile } from '../../features/auth/session.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import type { AppStore } from '../store.ts';

/** Target of the link in the confirmation email. It needs a click because link scanners must not confirm anything. */
export function ConfirmEmailPage() {
  usePageTitle('Confirm your email');
  const store = useStore() as AppStore;
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const [busy, setBusy] = useState(false);
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const { data, failure } = await callApi({ path: '/api/v1/auth/confirm-email', method: 'POST', body: { token } }, null);
    setBusy(false);
    if (failure) return setProblem(failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'Your email couldn’t be confirmed.'));
    setConfirmed((data as ConfirmEmailResponse).email);
    void refreshProfile(store);
  };
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Confirm your email</h1>
      {problem && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {!token && confirmed === null && <p className="text-muted">This link is incomplete. Please open it again from the email.</p>}
      {token && confirmed === null && (
        <>
          <p className="text-muted">If you signed up or changed your address, confirm it here. If you didn’t, close this page.</p>
          <Button variant="primary" busy={busy} onClick={() => void confirm()}>
            Confirm email address
          </Button>
        </>
      )}
      {confirmed !== null && (
        <>
          <div role="status">
            <Notice tone="good">
              <p className="[overflow-wrap:anywhere]">{confirmed} is confirmed.</p>
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

import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { UnsubscribeResponse } from '../../../src/http/contract/security.ts';
import { callApi } from '../../api/call.ts';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

/**
 * Target of the unsubscribe link in an email. It needs a click because link scanners must not turn anything off. Only
 * the token identifies the kind of email: the server returns what it turned off.
 */
export function UnsubscribePage() {
  usePageTitle('Unsubscribe');
  const [search] = useSearchParams();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const turnOff = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const { data, failure } = await callApi(
      { path: '/api/v1/mail/unsubscribe', method: 'POST', body: { token: search.get('token') ?? '' } },
      null,
    );
    setBusy(false);
    if (failure)
      setProblem(
        failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'Couldn’t unsubscribe you.'),
      );
    else setDone((data as UnsubscribeResponse).message);
  };
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Unsubscribe</h1>
      {problem && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {done === null ? (
        <>
          <p className="text-muted">We’ll stop sending you emails like the one you came from.</p>
          <Button variant="primary" busy={busy} onClick={() => void turnOff()}>
            Unsubscribe
          </Button>
        </>
      ) : (
        <div role="status">
          <Notice tone="good" title={done}>
            <p>You can turn them on again on your account page.</p>
          </Notice>
        </div>
      )}
      <p>
        <Link to={paths.account} className="inline-block py-1 text-sm link">
          Go to your account
        </Link>
      </p>
    </div>
  );
}

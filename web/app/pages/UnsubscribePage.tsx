import { useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { callApi } from '../../api/call.ts';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';

/** Where the link in a mail leads. A button, because programs that look at links in mails must not turn anything off. */
export function UnsubscribePage() {
  usePageTitle('Mails about finished analyses');
  const [search] = useSearchParams();
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking');
  const [problem, setProblem] = useState<string | null>(null);

  const turnOff = async (): Promise<void> => {
    setState('busy');
    setProblem(null);
    const { failure } = await callApi({ path: '/api/v1/mail/unsubscribe', method: 'POST', body: { token: search.get('token') ?? '' } }, null);
    setState(failure ? 'asking' : 'done');
    if (failure) setProblem(failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'The mails could not be turned off.'));
  };
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Mails about finished analyses</h1>
      {problem && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {state === 'done' ? (
        <div role="status">
          <Notice tone="good">
            <p>You will get no more of them. You can turn them on again on your account page.</p>
          </Notice>
        </div>
      ) : (
        <>
          <p className="text-muted">Whenever an analysis of yours has ended, a mail tells its score and what to do first.</p>
          <Button look="primary" busy={state === 'busy'} onClick={() => void turnOff()}>
            Turn these mails off
          </Button>
        </>
      )}
      <p>
        <Link to={paths.account} className="inline-block py-1 text-sm text-accent underline underline-offset-2">
          To your account
        </Link>
      </p>
    </div>
  );
}

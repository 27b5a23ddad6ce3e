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
  usePageTitle('Emails about finished audits');
  const [search] = useSearchParams();
  const [state, setState] = useState<'asking' | 'busy' | 'done'>('asking');
  const [problem, setProblem] = useState<string | null>(null);

  const turnOff = async (): Promise<void> => {
    setState('busy');
    setProblem(null);
    const { failure } = await callApi({ path: '/api/v1/mail/unsubscribe', method: 'POST', body: { token: search.get('token') ?? '' } }, null);
    setState(failure ? 'asking' : 'done');
    if (failure) setProblem(failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'Couldn’t unsubscribe you.'));
  };
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Emails about finished audits</h1>
      {problem && (
        <Notice tone="bad">
          <p>{problem}</p>
        </Notice>
      )}
      {state === 'done' ? (
        <div role="status">
          <Notice tone="good">
            <p>You’ve been unsubscribed. You can turn these emails on again on your account page.</p>
          </Notice>
        </div>
      ) : (
        <>
          <p className="text-muted">When an audit finishes, we email you its score and the top tasks.</p>
          <Button look="primary" busy={state === 'busy'} onClick={() => void turnOff()}>
            Unsubscribe
          </Button>
        </>
      )}
      <p>
        <Link to={paths.account} className="inline-block py-1 text-sm text-accent underline underline-offset-2">
          Go to your account
        </Link>
      </p>
    </div>
  );
}

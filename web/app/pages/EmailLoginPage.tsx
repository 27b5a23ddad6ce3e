import { Suspense, useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation } from 'react-router-dom';
import type { User } from '../../../src/http/contract/auth.ts';
import { textOf } from '../../api/failure.ts';
import { selectAuth } from '../../features/auth/authSlice.ts';
import { logInByLink, openLink } from '../../features/auth/logInMail.ts';
import { useEntry } from '../../features/auth/useEntry.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { Loading } from '../../ui/Spinner.tsx';

const CodeStep = lazily(() => import('../../features/auth/CodeStep.tsx'), 'CodeStep');

type Opened = { readonly email: string } | { readonly problem: string };

/**
 * Target of the link in the email to log in with. It names the account and needs a press: programs in mailboxes open
 * links, and nobody should find themselves in another person's account.
 */
export function EmailLoginPage() {
  usePageTitle('Log in');
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const { user } = useSelector(selectAuth);
  const [opened, setOpened] = useState<Opened | null>(null);
  /** With who was logged in before: the second factor is done once that changes. */
  const [challenge, setChallenge] = useState<{ readonly token: string; readonly before: User | null }>();
  const [done, setDone] = useState(false);
  const enter: typeof logInByLink = async (store, body) => {
    const outcome = await logInByLink(store, body);
    if (outcome.challenge) setChallenge({ token: outcome.challenge, before: user });
    setDone('response' in outcome);
    return outcome;
  };
  const { submit, busy, failure } = useEntry(enter, () => undefined);
  useEffect(() => {
    if (token === null) return;
    let current = true;
    void openLink(token).then((answer) => {
      if (!current) return;
      setOpened(
        answer.failure
          ? { problem: textOf(answer.failure, 'This link couldn’t be checked. Please try again.') }
          : { email: answer.email },
      );
    });
    return () => {
      current = false;
    };
  }, [token]);
  if (done || (challenge && user && user !== challenge.before)) return <Navigate to={paths.home} replace />;
  if (challenge)
    return (
      <div className="py-6 sm:py-16">
        <Suspense fallback={null}>
          <CodeStep challenge={challenge.token} onBack={() => setChallenge(undefined)} />
        </Suspense>
      </div>
    );
  const problem =
    token === null
      ? 'This link is incomplete. Please open it again from the email.'
      : failure
        ? textOf(failure, 'Login failed')
        : opened && 'problem' in opened
          ? opened.problem
          : null;
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">Log in</h1>
      {problem !== null && (
        <>
          <Notice tone="bad">
            <p>{problem}</p>
          </Notice>
          <Link to={paths.login} className={buttonClasses('primary')}>
            Back to log in
          </Link>
        </>
      )}
      {problem === null && opened === null && <Loading label="Checking the link" />}
      {problem === null && token !== null && opened && 'email' in opened && (
        <>
          <p>
            This logs you in as <strong className="wrap-anywhere">{opened.email}</strong>. If you didn’t ask for it,
            close this page.
          </p>
          {user && user.email !== opened.email && (
            <p className="text-muted wrap-anywhere">In this browser, you’re logged in as {user.email}.</p>
          )}
          <Button variant="primary" busy={busy} className="h-9 w-full" onClick={() => void submit({ token })}>
            Log in
          </Button>
        </>
      )}
    </div>
  );
}

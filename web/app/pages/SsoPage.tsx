import { Suspense, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import { textOf } from '../../api/failure.ts';
import { addIdentity } from '../../features/account/identitiesApi.ts';
import { logInBySso, readSsoAnswer } from '../../features/auth/sso.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { Loading } from '../../ui/Spinner.tsx';
import type { AppStore } from '../store.ts';

const CodeStep = lazily(() => import('../../features/auth/CodeStep.tsx'), 'CodeStep');

type Outcome =
  | { readonly challenge: string }
  | { readonly problem: string; readonly to: string }
  | { readonly done: string };

/** Where a provider of single sign-on leads back to: finishes the log-in, or adds the identity to the account. */
export function SsoPage() {
  usePageTitle('Log in');
  const { provider = '' } = useParams();
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const store = useStore() as AppStore;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // What the address holds counts once, however often the page is rendered.
  const began = useRef(false);
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    const answer = readSsoAnswer(search);
    // The browser's history keeps no code.
    void navigate(pathname, { replace: true });
    void finished(store, provider, answer).then(setOutcome);
  }, [navigate, pathname, provider, search, store]);
  if (outcome && 'done' in outcome) return <Navigate to={outcome.done} replace />;
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      {outcome === null && <Loading label="Finishing" />}
      {outcome && 'challenge' in outcome && (
        <Suspense fallback={null}>
          <CodeStep challenge={outcome.challenge} onBack={() => setOutcome({ done: paths.login })} />
        </Suspense>
      )}
      {outcome && 'problem' in outcome && (
        <>
          <h1 className="text-2xl">That didn’t work</h1>
          <Notice tone="bad">
            <p>{outcome.problem}</p>
          </Notice>
          <Link to={outcome.to} className={buttonClasses('primary')}>
            Go back
          </Link>
        </>
      )}
    </div>
  );
}

async function finished(store: AppStore, provider: string, answer: ReturnType<typeof readSsoAnswer>): Promise<Outcome> {
  if (!answer) return { problem: 'The provider has not logged you in. You can try again.', to: paths.login };
  if (answer.adds) {
    const failure = await addIdentity(store, provider, answer.body);
    if (!failure) return { done: paths.account };
    return { problem: textOf(failure, 'This couldn’t be added. Please try again.'), to: paths.account };
  }
  const { failure, challenge } = await logInBySso(store, { provider, ...answer.body });
  if (challenge) return { challenge };
  return failure ? { problem: textOf(failure, 'Login failed'), to: paths.login } : { done: paths.home };
}

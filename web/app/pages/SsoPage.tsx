import { Suspense, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, Navigate, useLocation, useNavigate, useParams } from 'react-router-dom';
import type { SsoFinishRequest } from '../../../src/http/contract/logIn.ts';
import { textOf } from '../../api/failure.ts';
import { selectStatus } from '../../api/system.ts';
import { selectAuth } from '../../features/auth/authSlice.ts';
import { addIdentity, logInByProvider } from '../../features/auth/ssoLogIn.ts';
import { useEntry } from '../../features/auth/useEntry.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { Loading } from '../../ui/Spinner.tsx';

const CodeStep = lazily(() => import('../../features/auth/CodeStep.tsx'), 'CodeStep');

/**
 * Where a provider of single sign-on leads back to: logs in, or, where somebody is logged in, adds the identity to
 * their account. The server accepts either only from the browser that began just that.
 */
export function SsoPage() {
  usePageTitle('Log in');
  const { provider = '' } = useParams();
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const { phase } = useSelector(selectAuth);
  const label = useSelector(selectStatus)?.log_in.providers.find(({ id }) => id === provider)?.label;
  const [answer] = useState(() => answerIn(search));
  const [challenge, setChallenge] = useState<string>();
  const [next, setNext] = useState<string>();
  const enter: typeof logInByProvider = async (store, given) => {
    const outcome = await logInByProvider(store, given);
    setChallenge(outcome.challenge);
    if ('response' in outcome) setNext(paths.home);
    return outcome;
  };
  const add: typeof addIdentity = async (store, given) => {
    const outcome = await addIdentity(store, given);
    if (!outcome.failure) setNext(paths.account);
    return outcome;
  };
  const login = useEntry(enter, () => undefined);
  const adding = useEntry(add, () => undefined);
  // It works once.
  const used = useRef(false);
  useEffect(() => {
    if (search !== '') void navigate(pathname, { replace: true });
  }, [search, pathname, navigate]);
  useEffect(() => {
    if (!answer || used.current || phase === 'loading') return;
    used.current = true;
    void (phase === 'authenticated' ? adding : login).submit({ provider, answer });
  });
  if (next !== undefined) return <Navigate to={next} replace />;
  // The code was right.
  if (challenge && phase === 'authenticated') return <Navigate to={paths.home} replace />;
  if (challenge)
    return (
      <div className="py-6 sm:py-16">
        <Suspense fallback={null}>
          <CodeStep challenge={challenge} onBack={() => navigate(paths.login)} />
        </Suspense>
      </div>
    );
  const problem = !answer
    ? `${label ?? 'The provider'} didn’t log you in. Please try again.`
    : login.failure
      ? textOf(login.failure, 'Login failed')
      : adding.failure
        ? textOf(adding.failure, 'This couldn’t be added to your account.')
        : null;
  const back = adding.failure || (!answer && phase === 'authenticated');
  return (
    <div className="mx-auto w-full max-w-sm space-y-4 py-6 sm:py-16">
      <h1 className="text-2xl">{label ? `Continue with ${label}` : 'Single sign-on'}</h1>
      {problem === null ? (
        <Loading label="Checking with the provider" />
      ) : (
        <>
          <Notice tone="bad">
            <p>{problem}</p>
          </Notice>
          <Link to={back ? paths.account : paths.login} className={buttonClasses('primary')}>
            {back ? 'Back to your account' : 'Back to log in'}
          </Link>
        </>
      )}
    </div>
  );
}

/** Null: the provider refused, or somebody opened the page without coming from there. */
function answerIn(search: string): SsoFinishRequest | null {
  const query = new URLSearchParams(search);
  const [code, state, iss] = [query.get('code'), query.get('state'), query.get('iss')];
  return code && state ? { code, state, ...(iss === null ? {} : { iss }) } : null;
}

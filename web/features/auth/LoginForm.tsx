import { type FormEvent, Suspense, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { EmailField } from '../../ui/form/EmailField.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';
import { logIn } from './enter.ts';
import { OtherWays } from './OtherWays.tsx';
import { useEntry } from './useEntry.ts';

const EmailCode = lazily(() => import('./EmailCode.tsx'), 'EmailCode');
const CodeStep = lazily(() => import('./CodeStep.tsx'), 'CodeStep');

export function LoginForm() {
  const [search] = useSearchParams();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);
  const [byEmail, setByEmail] = useState(false);
  const [challenge, setChallenge] = useState<string>();
  const enter: typeof logIn = async (store, body) => {
    const outcome = await logIn(store, body);
    setChallenge(outcome.challenge);
    return outcome;
  };
  const { submit, busy, failure } = useEntry(enter, ({ status }) => {
    if (status !== 401) return;
    // The user has to retype it.
    passwordField.current?.focus();
    passwordField.current?.select();
  });

  const send = (event: FormEvent): void => {
    event.preventDefault();
    void submit({ email, password });
  };
  if (challenge)
    return (
      <Suspense fallback={null}>
        <CodeStep challenge={challenge} onBack={() => setChallenge(undefined)} />
      </Suspense>
    );
  if (byEmail)
    return (
      <Suspense fallback={null}>
        <EmailCode creates={false} email={email} onBack={() => setByEmail(false)} />
      </Suspense>
    );
  return (
    <div className="mx-auto w-full max-w-sm">
      <h1 className="text-2xl">Log in</h1>
      <p className="mt-1 text-muted">Log in to see your reports.</p>
      <form onSubmit={send} className="mt-6 space-y-4">
        {failure && (
          <Notice tone="bad">
            <p>{textOf(failure, 'Login failed')}</p>
          </Notice>
        )}
        <EmailField value={email} onChange={setEmail} />
        <PasswordField ref={passwordField} value={password} onChange={setPassword} />
        <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
          Log in
        </Button>
      </form>
      <div className="mt-4 flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
        <Link to={paths.forgotPassword} state={{ email }} className="inline-block py-1 link">
          Forgot your password?
        </Link>
        <span className="py-1 text-muted">
          New here?{' '}
          <Link to={{ pathname: paths.signup, search: search.toString() }} className="link">
            Create an account
          </Link>
        </span>
      </div>
      <OtherWays logsIn onEmail={() => setByEmail(true)} />
    </div>
  );
}

import { type FormEvent, Suspense, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { Link, useSearchParams } from 'react-router-dom';
import { isOfEmail, textOf } from '../../api/failure.ts';
import { selectUnlimited } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { EmailField } from '../../ui/form/EmailField.tsx';
import { NewPasswordFields, useNewPassword } from '../../ui/form/NewPasswordFields.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';
import { campaignOf } from './campaign.ts';
import { signUp } from './enter.ts';
import { OtherWays } from './OtherWays.tsx';
import { useEntry } from './useEntry.ts';

const EmailCode = lazily(() => import('./EmailCode.tsx'), 'EmailCode');

export function SignupForm() {
  const [search] = useSearchParams();
  const unlimited = useSelector(selectUnlimited);
  const [email, setEmail] = useState('');
  const [byEmail, setByEmail] = useState(false);
  const chosen = useNewPassword();
  const emailField = useRef<HTMLInputElement>(null);
  const { submit, busy, failure } = useEntry(signUp, (refused) => isOfEmail(refused) && emailField.current?.focus());
  const ofEmail = failure && isOfEmail(failure);

  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen.check()) void submit({ email, password: chosen.password, ...campaignOf(search) });
  };
  if (byEmail)
    return (
      <Suspense fallback={null}>
        <EmailCode creates email={email} onBack={() => setByEmail(false)} />
      </Suspense>
    );
  return (
    <div className="mx-auto w-full max-w-sm">
      <h1 className="text-2xl">Create your account</h1>
      <p className="mt-1 text-muted">
        {!unlimited && 'No credit card needed. '}Your first report takes about a minute.
      </p>
      <form noValidate onSubmit={send} className="mt-6 space-y-4">
        {failure && !ofEmail && (
          <Notice tone="bad">
            <p>{textOf(failure, 'Signup failed')}</p>
          </Notice>
        )}
        <EmailField ref={emailField} value={email} error={ofEmail ? failure.message : null} onChange={setEmail} />
        <NewPasswordFields label="Password" of={chosen} />
        <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
          Sign up
        </Button>
      </form>
      <p className="mt-4 text-sm text-muted">
        Already have an account? {/* Keeps the query, so that a user with an account gets to the same place. */}
        <Link to={{ pathname: paths.login, search: search.toString() }} className="link">
          Log in
        </Link>
      </p>
      <OtherWays onEmail={() => setByEmail(true)} />
    </div>
  );
}

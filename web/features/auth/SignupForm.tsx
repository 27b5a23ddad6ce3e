import { type FormEvent, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';
import { campaignOf } from './campaign.ts';
import { PasswordStrength } from './PasswordStrength.tsx';
import { signUp } from './session.ts';
import { signupProblems } from './signupRules.ts';
import { useEntry } from './useEntry.ts';

export function SignupForm() {
  const [search] = useSearchParams();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [tried, setTried] = useState(false);
  const { submit, busy, failure } = useEntry(signUp);
  const passwordField = useRef<HTMLInputElement>(null);
  const confirmationField = useRef<HTMLInputElement>(null);
  const problems = tried ? signupProblems(password, confirmation) : {};

  const send = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    const found = signupProblems(password, confirmation);
    if (found.password) passwordField.current?.focus();
    else if (found.confirmation) confirmationField.current?.focus();
    else void submit({ email: email.trim(), password, ...campaignOf(search) });
  };
  return (
    <div className="mx-auto w-full max-w-sm">
      <h1 className="text-2xl">Create your account</h1>
      <p className="mt-1 text-muted">No card. Your first report takes about a minute.</p>
      <form onSubmit={send} className="mt-6 space-y-4">
        {failure && (
          <Notice tone="bad">
            <p>{textOf(failure, 'Signup failed')}</p>
          </Notice>
        )}
        <Field
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          ref={passwordField}
          label="Password"
          type="password"
          name="password"
          autoComplete="new-password"
          required
          maxLength={256}
          value={password}
          error={problems.password}
          hint={<PasswordStrength password={password} />}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Field
          ref={confirmationField}
          label="Confirm password"
          type="password"
          name="confirmation"
          autoComplete="new-password"
          required
          maxLength={256}
          value={confirmation}
          error={problems.confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
        <Button look="primary" type="submit" busy={busy} className="h-9 w-full">
          Sign up
        </Button>
      </form>
      <p className="mt-4 text-sm text-muted">
        Already have an account?{' '}
        <Link to={paths.login} className="text-accent underline underline-offset-2">
          Log in
        </Link>
      </p>
    </div>
  );
}

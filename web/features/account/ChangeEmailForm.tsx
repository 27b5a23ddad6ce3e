import { type FormEvent, useState } from 'react';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useChangeEmailMutation } from './securityApi.ts';

export function ChangeEmailForm({ email, onChanged }: { email: string; onChanged: (email: string) => void }) {
  const [next, setNext] = useState('');
  const [password, setPassword] = useState('');
  const [change, { isLoading, data, error }] = useChangeEmailMutation();
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading) return;
    const outcome = await change({ email: next.trim(), password });
    if (!outcome.data) return;
    setNext('');
    setPassword('');
    onChanged(outcome.data.email);
  };
  return (
    <form aria-label="Change email" onSubmit={(event) => void send(event)} className="max-w-sm space-y-3">
      <p className="text-sm text-muted">
        Now <span className="text-normal [overflow-wrap:anywhere]">{email}</span>. That address is told of the change.
      </p>
      {error && (
        <Notice tone="bad">
          <p>{textOf(error, 'The address could not be changed.')}</p>
        </Notice>
      )}
      {data && (
        <div role="status">
          <Notice tone="good">
            <p>Your address is now {data.email}. Log in with it from now on.</p>
          </Notice>
        </div>
      )}
      <Field
        label="New email"
        type="email"
        name="email"
        autoComplete="email"
        required
        maxLength={254}
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      <Field
        label="Your password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        maxLength={256}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" busy={isLoading}>
        Change email
      </Button>
    </form>
  );
}

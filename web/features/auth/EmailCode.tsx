import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { type ApiFailure, isOfEmail, textOf } from '../../api/failure.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { EmailField } from '../../ui/form/EmailField.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { lazily } from '../../ui/lazily.ts';
import { Notice } from '../../ui/Notice.tsx';
import { OutboxNote } from '../../ui/OutboxNote.tsx';
import { logInByCode, requestLogInMail } from './logInMail.ts';
import { useEntry } from './useEntry.ts';

const CodeStep = lazily(() => import('./CodeStep.tsx'), 'CodeStep');

interface EmailCodeProps {
  /** Signs up, if no account has the address. */
  readonly creates: boolean;
  /** What was typed before. */
  readonly email: string;
  readonly onBack: () => void;
}

/** Asks for the email, then for the code in it. */
export function EmailCode({ creates, email: typed, onBack }: EmailCodeProps) {
  const [email, setEmail] = useState(typed);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [challenge, setChallenge] = useState<string>();
  if (challenge)
    return (
      <Suspense fallback={null}>
        <CodeStep challenge={challenge} onBack={onBack} />
      </Suspense>
    );
  return (
    <div className="mx-auto w-full max-w-sm">
      <h1 className="text-2xl">{creates ? 'Sign up by email' : 'Log in by email'}</h1>
      {sentTo === null ? (
        <AskForm {...{ creates, email, setEmail }} onSent={() => setSentTo(email)} />
      ) : (
        <EnterForm email={sentTo} creates={creates} onChallenge={setChallenge} onOther={() => setSentTo(null)} />
      )}
      <Button variant="quiet" className="mt-4 -ml-2" onClick={onBack}>
        Use a password
      </Button>
    </div>
  );
}

interface AskFormProps {
  readonly creates: boolean;
  readonly email: string;
  readonly setEmail: (email: string) => void;
  readonly onSent: () => void;
}

function AskForm({ creates, email, setEmail, onSent }: AskFormProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // The button that opened this step is gone.
  useEffect(() => field.current?.focus(), []);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const refused = await requestLogInMail({ email, ...(creates ? { create: true } : {}) });
    setBusy(false);
    setFailure(refused);
    if (!refused) return onSent();
    if (isOfEmail(refused)) field.current?.focus();
  };
  const ofEmail = failure !== null && isOfEmail(failure);
  return (
    <>
      <p className="mt-1 text-muted">We’ll email you a code and a link. No password needed.</p>
      <form noValidate onSubmit={(event) => void send(event)} className="mt-6 space-y-4">
        {failure && !ofEmail && (
          <Notice tone="bad">
            <p>{textOf(failure, 'The email couldn’t be sent.')}</p>
          </Notice>
        )}
        <EmailField ref={field} value={email} error={ofEmail ? failure.message : null} onChange={setEmail} />
        <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
          Email me a code
        </Button>
      </form>
    </>
  );
}

interface EnterFormProps {
  readonly email: string;
  readonly creates: boolean;
  readonly onChallenge: (challenge: string | undefined) => void;
  readonly onOther: () => void;
}

function EnterForm({ email, creates, onChallenge, onOther }: EnterFormProps) {
  const mail = useSelector(selectStatus)?.mail;
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const enter: typeof logInByCode = async (store, body) => {
    const outcome = await logInByCode(store, body);
    onChallenge(outcome.challenge);
    return outcome;
  };
  const { submit, busy, failure } = useEntry(enter, () => {
    field.current?.focus();
    field.current?.select();
  });
  useEffect(() => field.current?.focus(), []);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void submit({ email, code });
  };
  return (
    <>
      <p role="status" className="mt-1 text-muted">
        {creates ? 'We’ve sent a code to ' : 'If an account has this address, we’ve sent a code to '}
        <span className="text-normal wrap-anywhere">{email}</span>. It works for ten minutes, in this browser. Check
        your spam folder if it doesn’t arrive.
      </p>
      <OutboxNote kept={mail === 'kept'} />
      <form onSubmit={send} className="mt-6 space-y-4">
        {failure && (
          <Notice tone="bad">
            <p>{textOf(failure, 'Login failed')}</p>
          </Notice>
        )}
        <Field
          ref={field}
          label="6-digit code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={7}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button variant="primary" type="submit" busy={busy} className="h-9 w-full">
          {creates ? 'Sign up' : 'Log in'}
        </Button>
      </form>
      <Button variant="quiet" className="mt-2 -ml-2" onClick={onOther}>
        Use another email or send a new code
      </Button>
    </>
  );
}

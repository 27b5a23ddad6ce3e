import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import type { MfaEnrolResponse } from '../../../../src/http/contract/mfa.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useConfirmMfaMutation, useEnrolMfaMutation } from './mfaApi.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const QrCode = lazily(() => import('./QrCode.tsx'), 'QrCode');

interface TwoFactorSetupProps {
  readonly hasPassword: boolean;
  /** The user has seen the recovery codes. */
  readonly onDone: () => void;
  readonly onCancel?: () => void;
}

/** Turns it on in three steps: password, app, recovery codes. */
export function TwoFactorSetup({ hasPassword, onDone, onCancel }: TwoFactorSetupProps) {
  const [enrol, enrolling] = useEnrolMfaMutation();
  const [confirm, confirming] = useConfirmMfaMutation();
  if (confirming.data) return <RecoveryCodes codes={confirming.data} onDone={onDone} />;
  if (!enrolling.data) {
    const { isLoading: busy, error } = enrolling;
    return (
      <PasswordStep
        label="Continue"
        {...{ hasPassword, busy, error, onCancel }}
        onSubmit={(password) => enrol(password === undefined ? {} : { password })}
      />
    );
  }
  return (
    <AppStep
      enrolment={enrolling.data}
      busy={confirming.isLoading}
      failure={confirming.error && textOf(confirming.error, 'That didn’t work. Please try again.')}
      onCode={(code) => confirm({ code })}
      onCancel={onCancel}
    />
  );
}

interface AppStepProps {
  readonly enrolment: MfaEnrolResponse['data'];
  readonly busy: boolean;
  readonly failure: string | undefined;
  readonly onCode: (code: string) => Promise<{ readonly error?: unknown }>;
  readonly onCancel: (() => void) | undefined;
}

function AppStep({ enrolment: { secret, uri }, busy, failure, onCode, onCancel }: AppStepProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const { error } = await onCode(code);
    // Selected, so that typing replaces it.
    if (error) field.current?.select();
  };
  return (
    <form aria-label="Set up your app" onSubmit={(event) => void send(event)} className="max-w-sm space-y-3">
      <p>Scan this code with an authenticator app, then enter the 6 digits it shows.</p>
      <Suspense fallback={<Skeleton className="size-48" />}>
        <QrCode text={uri} label="QR code for your authenticator app" />
      </Suspense>
      <p className="text-sm text-muted">
        Can’t scan it? Enter this key in the app:{' '}
        <code className="font-mono text-strong select-all wrap-anywhere">{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
      </p>
      <Field
        {...{ label: 'Code', name: 'code', inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7 }}
        required
        ref={field}
        value={code}
        error={failure}
        onChange={(event) => setCode(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" type="submit" busy={busy}>
          Turn on
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
      <Notice tone="info">
        <p>Your other sessions will be logged out.</p>
      </Notice>
    </form>
  );
}

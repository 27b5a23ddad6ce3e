import { useState } from 'react';
import { callApi } from '../../api/call.ts';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';

/** For an account without a password: it is set through the account's email, as after forgetting one. */
export function SetPassword({ email }: { email: string }) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    const { failure } = await callApi({ path: '/api/v1/auth/reset-password', method: 'POST', body: { email } }, null);
    setBusy(false);
    setSent(!failure);
    setProblem(failure ? textOf(failure, 'The email couldn’t be sent.') : null);
  };
  return (
    <div className="max-w-sm space-y-3">
      <p className="text-sm text-muted">
        Your account has no password. You can set one with a link that we email you; setting it logs you out everywhere.
      </p>
      {problem && <FieldError>{problem}</FieldError>}
      <p role="status" className="text-sm">
        {sent && <>We’ve sent the link to {email}. It expires in one hour.</>}
      </p>
      <Button busy={busy} onClick={() => void send()}>
        Email me a link
      </Button>
    </div>
  );
}

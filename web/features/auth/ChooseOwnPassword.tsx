import { useState } from 'react';
import { callApi } from '../../api/call.ts';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';

/**
 * For somebody whose address another person signed up with: sends the email that sets a new password. The link that
 * they opened stays as it is.
 */
export function ChooseOwnPassword({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const { data, failure } = await callApi(
      { path: '/api/v1/auth/confirm-email/choose-password', method: 'POST', body: { token } },
      null,
    );
    setBusy(false);
    if (failure)
      return setProblem(
        failure.status === 0 ? 'Network error. Please try again.' : textOf(failure, 'The email couldn’t be sent.'),
      );
    setSent((data as { readonly message: string }).message);
  };
  return (
    <div className="space-y-1">
      <Button
        variant="quiet"
        className="-ml-2 h-auto py-1 text-left whitespace-normal! underline underline-offset-2"
        busy={busy}
        onClick={() => void send()}
      >
        Not your password? Choose your own
      </Button>
      <p role="status" className="text-sm">
        {sent}
      </p>
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  );
}

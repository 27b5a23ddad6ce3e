import { useState } from 'react';
import { useSelector } from 'react-redux';
import { textOf } from '../../api/failure.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { leaveForProvider } from './sso.ts';

/** One for each provider of single sign-on. */
export function SsoButtons() {
  const providers = useSelector(selectStatus)?.log_in.providers ?? [];
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const leave = async (id: string): Promise<void> => {
    setBusy(id);
    setProblem(null);
    const failure = await leaveForProvider(id);
    if (!failure) return;
    setBusy(null);
    setProblem(textOf(failure, 'This provider couldn’t be reached. Please try again.'));
  };
  if (providers.length === 0) return null;
  return (
    <div className="space-y-2">
      {problem && <FieldError>{problem}</FieldError>}
      {providers.map(({ id, label }) => (
        <Button key={id} className="h-9 w-full" busy={busy === id} onClick={() => void leave(id)}>
          Continue with {label}
        </Button>
      ))}
    </div>
  );
}

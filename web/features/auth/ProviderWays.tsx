import { useSelector } from 'react-redux';
import type { SsoProviderView } from '../../../src/http/contract/logIn.ts';
import { textOf } from '../../api/failure.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { goToProvider } from './ssoLogIn.ts';
import { useEntry } from './useEntry.ts';

/** A button for each provider of single sign-on, and why the last one pressed could not be used. */
export function ProviderWays() {
  const providers = useSelector(selectStatus)?.log_in.providers ?? [];
  const { submit, busy, failure } = useEntry(
    (_, { id }: SsoProviderView) => goToProvider(id),
    () => undefined,
  );
  return (
    <>
      {failure && (
        <Notice tone="bad">
          <p>{textOf(failure, 'Login failed')}</p>
        </Notice>
      )}
      {providers.map((provider) => (
        <Button key={provider.id} className="h-9 w-full" disabled={busy} onClick={() => void submit(provider)}>
          Continue with {provider.label}
        </Button>
      ))}
    </>
  );
}

import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { textOf } from '../../api/failure.ts';
import { noPasskeysBecause } from '../../api/passkeys.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ProviderWays } from './ProviderWays.tsx';
import type { AuthStore } from './session.ts';
import { useEntry } from './useEntry.ts';

/**
 * Ways besides the password, as far as this installation has them: below everything that is about the password.
 * `logsIn`: to an account that is there.
 */
export function OtherWays({ onEmail, logsIn = false }: { onEmail: () => void; logsIn?: boolean }) {
  const ways = useSelector(selectStatus)?.log_in;
  const passkey = logsIn && noPasskeysBecause() === null;
  if (!ways?.by_mail && !ways?.providers.length && !passkey) return null;
  return (
    <div className="mt-6 space-y-3 border-t border-line pt-6">
      {ways?.by_mail && (
        <Button className="h-9 w-full" onClick={onEmail}>
          Use an emailed code
        </Button>
      )}
      {passkey && (
        <PasskeyEntry enter={async (store) => (await import('./passkeyLogIn.ts')).logInByPasskey(store)}>
          Use a passkey
        </PasskeyEntry>
      )}
      <ProviderWays />
    </div>
  );
}

type Enter = Parameters<typeof useEntry<void>>[0];

/** A button that asks for a passkey, and why it was refused. */
export function PasskeyEntry({
  enter,
  children,
}: {
  enter: (store: AuthStore) => ReturnType<Enter>;
  children: ReactNode;
}) {
  const { submit, busy, failure } = useEntry<void>(enter, () => undefined);
  return (
    <>
      {failure && (
        <Notice tone="bad">
          <p>{textOf(failure, 'Login failed')}</p>
        </Notice>
      )}
      <Button className="h-9 w-full" busy={busy} onClick={() => void submit()}>
        {children}
      </Button>
    </>
  );
}

import { useEffect, useRef, useState } from 'react';
import type { MfaView } from '../../../../src/http/contract/mfa.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { useGetMfaQuery, useRemoveMfaMutation } from './mfaApi.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { TwoFactorSetup } from './TwoFactorSetup.tsx';

/** Whether two-factor authentication is on, and the controls to change that. */
export function TwoFactor({ hasPassword, onChanged }: { hasPassword: boolean; onChanged: () => void }) {
  const query = useGetMfaQuery();
  const [changing, setChanging] = useState<'on' | 'off' | null>(null);
  const [returned, setReturned] = useState(false);
  const leave = (): void => {
    setChanging(null);
    setReturned(true);
  };
  const end = (): void => {
    leave();
    onChanged();
  };
  if (changing === 'on') return <TwoFactorSetup hasPassword={hasPassword} onDone={end} onCancel={leave} />;
  return (
    <QueryState
      query={query}
      title="Failed to load two-factor authentication"
      loading={<Skeleton className="h-9 w-full" />}
    >
      {(mfa) =>
        changing === 'off' ? (
          <TurnOff hasPassword={hasPassword} onDone={end} onCancel={leave} />
        ) : (
          <State mfa={mfa} returned={returned} onTurn={setChanging} />
        )
      }
    </QueryState>
  );
}

interface StateProps {
  mfa: MfaView;
  /** Reached from one of its own steps, whose buttons are gone: focus moves here. */
  returned: boolean;
  onTurn: (to: 'on' | 'off') => void;
}

function State({ mfa, returned, onTurn }: StateProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (returned) button.current?.focus();
  }, [returned]);
  if (mfa.enabled) {
    const left = mfa.recovery_codes_left;
    return (
      <div className="space-y-2">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone="good">On</Badge>
          {mfa.enabled_at && <span className="text-sm text-muted">since {dayOf(mfa.enabled_at)}</span>}
        </p>
        {!mfa.available && (
          <p className="text-sm">
            Codes from your app can’t be checked right now. Ask your administrator; recovery codes may still work.
          </p>
        )}
        <p className="text-sm text-muted">
          {left === 0 ? 'No recovery codes left.' : `${left} recovery ${left === 1 ? 'code' : 'codes'} left.`} To get
          new ones, turn it off and on again.
        </p>
        <Button ref={button} variant="danger" className="-ml-2" onClick={() => onTurn('off')}>
          Turn off
        </Button>
      </div>
    );
  }
  return (
    <div className="space-y-2">
      <p className="text-sm text-muted">
        {mfa.available ? 'Adds a code from your phone when you log in.' : 'Not available here. Ask your administrator.'}
      </p>
      {mfa.available && (
        <Button ref={button} onClick={() => onTurn('on')}>
          Turn on
        </Button>
      )}
    </div>
  );
}

interface TurnOffProps {
  hasPassword: boolean;
  onDone: () => void;
  onCancel: () => void;
}

function TurnOff({ hasPassword, onDone, onCancel }: TurnOffProps) {
  const [remove, { isLoading: busy, error }] = useRemoveMfaMutation();
  const submit = async (password: string | undefined) => {
    const outcome = await remove(password === undefined ? {} : { password });
    if (!outcome.error) onDone();
    return outcome;
  };
  return (
    <div className="space-y-2">
      <p className="text-sm text-muted">After this, logging in asks for no code.</p>
      <PasswordStep label="Turn off" variant="danger" {...{ hasPassword, busy, error, onCancel }} onSubmit={submit} />
    </div>
  );
}

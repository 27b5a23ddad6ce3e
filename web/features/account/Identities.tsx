import { useState } from 'react';
import type { IdentitiesResponse, IdentityView } from '../../../src/http/contract/logIn.ts';
import { Button } from '../../ui/Button.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../ui/Skeleton.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { useGetIdentitiesQuery, useRemoveIdentityMutation, useStartIdentityMutation } from './identitiesApi.ts';
import { PasswordStep } from './mfa/PasswordStep.tsx';

/** Identities at providers of single sign-on: adding and removing them. */
export function Identities({ hasPassword }: { hasPassword: boolean }) {
  const query = useGetIdentitiesQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <QueryState
      query={query}
      title="Failed to load your identities"
      loading={<RowsSkeleton label="Loading your identities" rows={1} />}
    >
      {(loaded) => <Loaded loaded={loaded} hasPassword={hasPassword} />}
    </QueryState>
  );
}

type Step = { readonly adds: boolean; readonly id: string; readonly label: string };

function Loaded({ loaded, hasPassword }: { loaded: IdentitiesResponse; hasPassword: boolean }) {
  const { identities, providers } = loaded;
  const [step, setStep] = useState<Step | null>(null);
  const [start, starting] = useStartIdentityMutation();
  const [remove, removing] = useRemoveIdentityMutation();
  if (step)
    return (
      <PasswordStep
        hasPassword={hasPassword}
        label={step.adds ? `Add ${step.label}` : `Remove ${step.label}`}
        variant={step.adds ? 'primary' : 'danger'}
        busy={starting.isLoading || removing.isLoading}
        error={step.adds ? starting.error : removing.error}
        onCancel={() => setStep(null)}
        onSubmit={async (password) => {
          const outcome = step.adds ? await start({ id: step.id, password }) : await remove({ id: step.id, password });
          if (outcome.error) return { error: outcome.error };
          if (step.adds) window.location.assign((outcome.data as { readonly url: string }).url);
          else setStep(null);
          return {};
        }}
      />
    );
  if (identities.length === 0 && providers.length === 0)
    return <p className="text-sm text-muted">This installation has no providers to log in with.</p>;
  const open = (next: Step): void => {
    starting.reset();
    removing.reset();
    setStep(next);
  };
  return (
    <div className="space-y-3">
      {identities.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {identities.map((identity) => (
            <Row
              key={identity.id}
              identity={identity}
              onRemove={() => open({ adds: false, id: identity.id, label: identity.label })}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {providers.map(({ id, label }) => (
          <Button key={id} onClick={() => open({ adds: true, id, label })}>
            Add {label}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Row({ identity, onRemove }: { identity: IdentityView; onRemove: () => void }) {
  const { label, email, offered, last_used_at } = identity;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="text-strong wrap-anywhere">
          {label}
          {email && <> · {email}</>}
        </p>
        <p className="text-sm text-muted">
          {!offered && 'No longer offered here. You can log in with a password, or with a code by email. '}
          {last_used_at ? (
            <>
              Last used <RelativeTime iso={last_used_at} />
            </>
          ) : (
            'Not used since it was added'
          )}
        </p>
      </div>
      <Button variant="secondary" aria-label={`Remove ${label} ${email ?? ''}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

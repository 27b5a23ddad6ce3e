import { type ReactNode, useRef, useState } from 'react';
import type { IdentityView, SsoProviderView } from '../../../src/http/contract/logIn.ts';
import { asFailure, isWrongPassword, textOf } from '../../api/failure.ts';
import { leaveFor } from '../../api/leaveFor.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { useKeptFocus } from '../../ui/focus/keptFocus.ts';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { Status } from '../../ui/text/Status.tsx';
import { dayOf } from '../../ui/text/time.ts';
import { useGetIdentitiesQuery, useRemoveIdentityMutation, useStartIdentityMutation } from './identitiesApi.ts';

type Open =
  | { readonly what: 'add'; readonly provider: SsoProviderView }
  | { readonly what: 'remove'; readonly identity: IdentityView };

/** The user's identities at providers of single sign-on; nothing where there are neither. */
export function Identities({ hasPassword }: { hasPassword: boolean }) {
  const { data, error, refetch } = useGetIdentitiesQuery();
  const [open, setOpen] = useState<Open | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLElement>(null);
  useKeptFocus(list);
  const { identities = [], providers = [] } = data ?? {};
  if (!error && identities.length === 0 && providers.length === 0 && said === '') return null;
  const close = (): void => setOpen(null);
  return (
    <section ref={list} className="lg:col-span-2">
      <h3 className="mb-2 text-sm font-semibold text-strong">Single sign-on</h3>
      <p className="mb-2 text-sm text-muted">Accounts elsewhere that you can log in with here.</p>
      {!data && error && (
        <ErrorPanel
          title="Failed to load your identities"
          text={textOf(error, 'The server sent an unexpected response.')}
          onRetry={refetch}
        />
      )}
      {identities.length > 0 && (
        <ul className="mb-2 divide-y divide-line border-y border-line">
          {identities.map((identity) => (
            <Row key={identity.id} identity={identity} onRemove={() => setOpen({ what: 'remove', identity })} />
          ))}
        </ul>
      )}
      {identities.some(({ offered }) => !offered) && (
        <p className="mb-2 text-sm text-muted">
          What is no longer offered here can’t be used to log in. Use your password or an emailed code instead.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {providers.map((provider) => (
          <Button key={provider.id} onClick={() => setOpen({ what: 'add', provider })}>
            Add {provider.label}
          </Button>
        ))}
      </div>
      <Status>{said}</Status>
      {open?.what === 'add' && <AddDialog provider={open.provider} hasPassword={hasPassword} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          identity={open.identity}
          hasPassword={hasPassword}
          onRemoved={() => setSaid(`${open.identity.label} removed.`)}
          onClose={close}
        />
      )}
    </section>
  );
}

function Row({ identity, onRemove }: { identity: IdentityView; onRemove: () => void }) {
  const { id, label, email, added_at, last_used_at, offered } = identity;
  const name = email === null ? label : `${label}, ${email}`;
  return (
    <li data-row={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-strong">
          <span className="wrap-anywhere">{name}</span>
          {!offered && <Badge tone="plain">No longer offered here</Badge>}
        </p>
        <p className="text-sm text-muted">
          Added {dayOf(added_at)} ·{' '}
          {last_used_at ? (
            <>
              last used <RelativeTime iso={last_used_at} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </div>
      <Button variant="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </li>
  );
}

function AddDialog({
  provider,
  hasPassword,
  onClose,
}: {
  provider: SsoProviderView;
  hasPassword: boolean;
  onClose: () => void;
}) {
  const [start, { isLoading, error }] = useStartIdentityMutation();
  const go = async (password: string | undefined): Promise<void> => {
    const { data } = await start({ provider: provider.id, ...(password === undefined ? {} : { password }) });
    if (data) leaveFor(data.url);
  };
  return (
    <OwnerDialog
      {...{ hasPassword, error, onClose }}
      title={`Add ${provider.label}`}
      submit="Continue"
      busy={isLoading}
      onSubmit={go}
    >
      You log in at {provider.label}, which leads you back here.
    </OwnerDialog>
  );
}

function RemoveDialog({
  identity,
  hasPassword,
  onRemoved,
  onClose,
}: {
  identity: IdentityView;
  hasPassword: boolean;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const [remove, { isLoading, error }] = useRemoveIdentityMutation();
  const go = async (password: string | undefined): Promise<void> => {
    if ((await remove({ id: identity.id, ...(password === undefined ? {} : { password }) })).error) return;
    onRemoved();
    onClose();
  };
  return (
    <OwnerDialog
      danger
      {...{ hasPassword, error, onClose }}
      title={`Remove ${identity.label}?`}
      submit="Remove"
      busy={isLoading}
      onSubmit={go}
    >
      You can no longer log in here with it. Your account at {identity.label} stays.
    </OwnerDialog>
  );
}

interface OwnerDialogProps {
  title: string;
  submit: string;
  danger?: boolean;
  hasPassword: boolean;
  busy: boolean;
  error: unknown;
  onSubmit: (password: string | undefined) => unknown;
  onClose: () => void;
  children: ReactNode;
}

/** Asks for the password, of an account that has one. */
function OwnerDialog({ hasPassword, error, onSubmit, children, ...dialog }: OwnerDialogProps) {
  const [password, setPassword] = useState('');
  const failure = error ? asFailure(error) : null;
  const wrong = failure !== null && isWrongPassword(failure);
  return (
    <FormDialog
      {...dialog}
      disabled={hasPassword && password === ''}
      problem={failure && !wrong && textOf(failure, 'Something went wrong. Please try again.')}
      onSubmit={() => onSubmit(hasPassword ? password : undefined)}
    >
      <p>{children}</p>
      {hasPassword && (
        <PasswordField
          label="Confirm your password"
          name="current_password"
          value={password}
          error={wrong ? failure.message : null}
          onChange={setPassword}
        />
      )}
    </FormDialog>
  );
}

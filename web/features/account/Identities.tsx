import { useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import type { IdentityView, SsoProviderView } from '../../../src/http/contract/logIn.ts';
import { textOf } from '../../api/failure.ts';
import { leaveFor } from '../../api/leaveFor.ts';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { useKeptFocus } from '../../ui/focus/keptFocus.ts';
import { Status } from '../../ui/text/Status.tsx';
import { useGetIdentitiesQuery, useRemoveIdentityMutation, useStartIdentityMutation } from './identitiesApi.ts';
import { OwnerDialog } from './OwnerDialog.tsx';
import { WayInRow } from './WayInRow.tsx';

type Open =
  | { readonly what: 'add'; readonly provider: SsoProviderView }
  | { readonly what: 'remove'; readonly identity: IdentityView };

/** The user's identities at providers of single sign-on; nothing where there are neither. */
export function Identities({ hasPassword }: { hasPassword: boolean }) {
  const { data, error, refetch } = useGetIdentitiesQuery();
  const byMail = useSelector(selectStatus)?.log_in.by_mail;
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
      <p className="mb-2 text-sm text-muted">Other accounts that you can log in with here.</p>
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
          What is no longer offered here can’t be used to log in. Use{' '}
          {byMail ? 'your password or an emailed code' : 'your password'} instead.
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
  const { label, email, offered } = identity;
  const name = email === null ? label : `${label}, ${email}`;
  return (
    <WayInRow way={identity} name={name} badge={offered ? null : 'No longer offered here'}>
      <Button variant="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </WayInRow>
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
  const go = async (password: { readonly password?: string }): Promise<void> => {
    const { data } = await start({ provider: provider.id, ...password });
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
      <p>You log in at {provider.label}, which leads you back here.</p>
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
  const go = async (password: { readonly password?: string }): Promise<void> => {
    if ((await remove({ id: identity.id, ...password })).error) return;
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
      <p>You can no longer log in here with it. Your account at {identity.label} stays.</p>
    </OwnerDialog>
  );
}

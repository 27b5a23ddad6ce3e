import { useRef, useState } from 'react';
import type { PasskeyView } from '../../../src/http/contract/passkeys.ts';
import { asFailure, isWrongPassword, textOf } from '../../api/failure.ts';
import { createPasskey, noPasskeysBecause } from '../../api/passkeys.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { useKeptFocus } from '../../ui/focus/keptFocus.ts';
import { Field } from '../../ui/form/Field.tsx';
import { PasswordField } from '../../ui/form/PasswordField.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../ui/Skeleton.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { Status } from '../../ui/text/Status.tsx';
import { dayOf } from '../../ui/text/time.ts';
import {
  useAddPasskeyMutation,
  useAskNewPasskeyMutation,
  useListPasskeysQuery,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
} from './passkeysApi.ts';

const FAILED = 'Something went wrong. Please try again.';
const MOST_LETTERS = 60;

type Open = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; readonly passkey: PasskeyView };

/** The user's passkeys. */
export function Passkeys({ hasPassword }: { hasPassword: boolean }) {
  const query = useListPasskeysQuery();
  const [open, setOpen] = useState<Open | null>(null);
  const [said, setSaid] = useState('');
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list);
  const why = noPasskeysBecause();
  const close = (): void => setOpen(null);
  return (
    <div ref={list}>
      <p className="mb-2 text-sm text-muted">
        Log in with your fingerprint, your face, or the code of your device. A passkey also counts as second factor.
      </p>
      <QueryState
        query={query}
        title="Failed to load your passkeys"
        loading={<RowsSkeleton label="Loading your passkeys" rows={1} />}
      >
        {({ data, limit }) => (
          <>
            {data.length > 0 && (
              <ul className="mb-2 divide-y divide-line border-y border-line">
                {data.map((passkey) => (
                  <Row key={passkey.id} passkey={passkey} onOpen={(what) => setOpen({ what, passkey })} />
                ))}
              </ul>
            )}
            {why ? (
              <p className="text-sm">{why}</p>
            ) : (
              <Button disabled={data.length >= limit} onClick={() => setOpen({ what: 'add' })}>
                Add a passkey
              </Button>
            )}
          </>
        )}
      </QueryState>
      <Status>{said}</Status>
      {open?.what === 'add' && (
        <AddDialog hasPassword={hasPassword} onAdded={(name) => setSaid(`Passkey “${name}” added.`)} onClose={close} />
      )}
      {open?.what === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.what === 'remove' && (
        <RemoveDialog
          passkey={open.passkey}
          onRemoved={() => setSaid(`Passkey “${open.passkey.name}” removed.`)}
          onClose={close}
        />
      )}
    </div>
  );
}

function Row({ passkey, onOpen }: { passkey: PasskeyView; onOpen: (what: 'rename' | 'remove') => void }) {
  const { id, name, added_at, last_used_at, synced } = passkey;
  return (
    <li data-row={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 text-strong">
          <span className="wrap-anywhere">{name}</span>
          {synced && <Badge tone="plain">Synced</Badge>}
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
      <div className="flex gap-2">
        <Button variant="quiet" onClick={() => onOpen('rename')} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button variant="danger" onClick={() => onOpen('remove')} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </div>
    </li>
  );
}

interface AddDialogProps {
  hasPassword: boolean;
  onAdded: (name: string) => void;
  onClose: () => void;
}

function AddDialog({ hasPassword, onAdded, onClose }: AddDialogProps) {
  const [ask] = useAskNewPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const make = async (): Promise<unknown> => {
    const options = await ask(hasPassword ? { password } : {});
    if (options.error) return options.error;
    const made = await createPasskey(options.data);
    if (made.failure) return made.failure;
    return (await add({ name, passkey: made.passkey })).error ?? null;
  };
  const send = async (): Promise<void> => {
    setBusy(true);
    const refused = await make();
    setBusy(false);
    setError(refused);
    if (refused) return;
    onAdded(name);
    onClose();
  };
  const failure = error ? asFailure(error) : null;
  const wrong = failure !== null && isWrongPassword(failure);
  return (
    <FormDialog
      title="Add a passkey"
      submit="Add passkey"
      busy={busy}
      disabled={name.trim() === '' || (hasPassword && password === '')}
      problem={failure && !wrong && textOf(failure, FAILED)}
      onSubmit={send}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
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

function NameField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Field
      label="Name"
      name="name"
      hint="To find it in the list, such as the name of the device."
      autoComplete="off"
      required
      maxLength={MOST_LETTERS}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function RenameDialog({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const [rename, { isLoading, error }] = useRenamePasskeyMutation();
  const [name, setName] = useState(passkey.name);
  const send = async (): Promise<void> => {
    if (!(await rename({ id: passkey.id, name })).error) onClose();
  };
  return (
    <FormDialog
      title="Rename the passkey"
      submit="Save"
      busy={isLoading}
      disabled={name.trim() === ''}
      problem={error && textOf(error, FAILED)}
      onSubmit={send}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

function RemoveDialog({
  passkey,
  onRemoved,
  onClose,
}: {
  passkey: PasskeyView;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const [remove, { isLoading, error }] = useRemovePasskeyMutation();
  const confirm = async (): Promise<void> => {
    if ((await remove(passkey.id)).error) return;
    onRemoved();
    onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Remove “${passkey.name}”?`}
      onClose={onClose}
      cancel="Keep it"
      submit="Remove passkey"
      busy={isLoading}
      problem={error && textOf(error, FAILED)}
      onSubmit={confirm}
    >
      <p>You can no longer log in with it. Your device may still list it: remove it there, too.</p>
    </FormDialog>
  );
}

import { useRef, useState } from 'react';
import type { PasskeyView } from '../../../src/http/contract/passkeys.ts';
import { textOf } from '../../api/failure.ts';
import { createPasskey, noPasskeysBecause } from '../../api/passkeys.ts';
import { Button } from '../../ui/Button.tsx';
import { useKeptFocus } from '../../ui/focus/keptFocus.ts';
import { Field } from '../../ui/form/Field.tsx';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../ui/Skeleton.tsx';
import { Status } from '../../ui/text/Status.tsx';
import { OwnerDialog } from './OwnerDialog.tsx';
import {
  useAddPasskeyMutation,
  useAskNewPasskeyMutation,
  useListPasskeysQuery,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
} from './passkeysApi.ts';
import { WayInRow } from './WayInRow.tsx';

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
          hasPassword={hasPassword}
          onRemoved={() => setSaid(`Passkey “${open.passkey.name}” removed.`)}
          onClose={close}
        />
      )}
    </div>
  );
}

function Row({ passkey, onOpen }: { passkey: PasskeyView; onOpen: (what: 'rename' | 'remove') => void }) {
  const { name, synced } = passkey;
  return (
    <WayInRow way={passkey} name={name} badge={synced ? 'Synced' : null}>
      <Button variant="quiet" onClick={() => onOpen('rename')} aria-label={`Rename ${name}`}>
        Rename
      </Button>
      <Button variant="danger" onClick={() => onOpen('remove')} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </WayInRow>
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const make = async (password: { readonly password?: string }): Promise<unknown> => {
    const options = await ask(password);
    if (options.error) return options.error;
    const made = await createPasskey(options.data);
    if (made.failure) return made.failure;
    return (await add({ name, passkey: made.passkey })).error ?? null;
  };
  const send = async (password: { readonly password?: string }): Promise<void> => {
    setBusy(true);
    const refused = await make(password);
    setBusy(false);
    setError(refused);
    if (refused) return;
    onAdded(name);
    onClose();
  };
  return (
    <OwnerDialog
      title="Add a passkey"
      submit="Add passkey"
      disabled={name.trim() === ''}
      {...{ hasPassword, busy, error, onClose }}
      onSubmit={send}
    >
      <NameField value={name} onChange={setName} />
    </OwnerDialog>
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

interface RemoveDialogProps {
  passkey: PasskeyView;
  hasPassword: boolean;
  onRemoved: () => void;
  onClose: () => void;
}

function RemoveDialog({ passkey, hasPassword, onRemoved, onClose }: RemoveDialogProps) {
  const [remove, { isLoading, error }] = useRemovePasskeyMutation();
  const confirm = async (password: { readonly password?: string }): Promise<void> => {
    if ((await remove({ id: passkey.id, ...password })).error) return;
    onRemoved();
    onClose();
  };
  return (
    <OwnerDialog
      danger
      title={`Remove “${passkey.name}”?`}
      submit="Remove passkey"
      cancel="Keep it"
      busy={isLoading}
      {...{ hasPassword, error, onClose }}
      onSubmit={confirm}
    >
      <p>You can no longer log in with it. Your device may still list it: remove it there, too.</p>
    </OwnerDialog>
  );
}

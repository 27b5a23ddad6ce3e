import { useRef, useState } from 'react';
import { API_KEY_NAME_MAX } from '../../../../src/model/limits.ts';
import { API_KEY_SCOPES, type ApiKeyScope, isAnalystScope } from '../../../../src/model/programs.ts';
import { textOf } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { EventCommands } from './EventCommands.tsx';
import { isForPower, PowerNote } from './PowerNote.tsx';
import { useCreateApiKeyMutation } from './programsApi.ts';
import { ShownOnce } from './ShownOnce.tsx';
import { SCOPE_NAMES } from './scopeNames.ts';

const EXPIRIES = [
  ['0', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const OF_A_PROGRAM = 'Keys can’t access sessions, passwords, keys, webhooks or account settings.';
const NOTES: Readonly<Record<ApiKeyScope, string>> = {
  read: OF_A_PROGRAM,
  write: OF_A_PROGRAM,
  'reports:read':
    'For analysts: reads the reports over the whole installation and nothing else, while you are an admin.',
  'events:read':
    'For analysts: reads the reports and the anonymized events of the whole installation and nothing else, while you are an admin.',
};

export function NewApiKeyDialog({ isAdmin, onClose }: { isAdmin: boolean; onClose: () => void }) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ApiKeyScope>('read');
  const [days, setDays] = useState('90');
  const choices = API_KEY_SCOPES.filter((each) => isAdmin || !isAnalystScope(each));
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [create, { data, isLoading, error, reset }] = useCreateApiKeyMutation();
  const onceKey = useOnceKey(error);
  const submit = (): void => {
    const asked = { name: name.trim(), scope, expires_in_days: days === '0' ? null : Number(days) };
    setMissing(asked.name === '');
    if (asked.name === '') field.current?.focus();
    else void create({ ...asked, once: onceKey(asked) });
  };
  const close = (): void => {
    reset();
    onClose();
  };
  if (data)
    return (
      <ShownOnce title={`Key “${data.data.name}”`} what="key" secret={data.key} onClose={close}>
        {data.data.scope === 'events:read' && (
          <div className="mt-4">
            <EventCommands />
          </div>
        )}
      </ShownOnce>
    );
  return (
    <FormDialog
      title="Create API key"
      submit="Create key"
      busy={isLoading}
      problem={error && !isForPower(error) && textOf(error, 'Failed to create the key')}
      onSubmit={submit}
      onClose={close}
    >
      <Field
        ref={field}
        label="Name"
        value={name}
        maxLength={API_KEY_NAME_MAX}
        autoComplete="off"
        placeholder="Nightly build"
        error={missing ? 'Please give the key a name' : null}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Access"
        value={scope}
        choices={choices.map((each) => [each, SCOPE_NAMES[each]] as const)}
        onChange={(value) => setScope(choices.find((each) => each === value) ?? 'read')}
      />
      <SelectField label="Expires" value={days} choices={EXPIRIES} onChange={setDays} />
      <p className="text-sm text-muted">{NOTES[scope]}</p>
      {error && isForPower(error) && <PowerNote bad />}
    </FormDialog>
  );
}

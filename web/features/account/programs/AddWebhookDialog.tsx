import { useRef, useState } from 'react';
import type { WebhookEventName } from '../../../../src/http/contract/webhooks.ts';
import { textOf } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { Field, FieldError } from '../../../ui/form/Field.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { isForPower, PowerNote } from './PowerNote.tsx';
import { useAddWebhookMutation } from './programsApi.ts';
import { ShownOnce } from './ShownOnce.tsx';

const EVENTS: readonly (readonly [WebhookEventName, string])[] = [
  ['job.completed', 'Audit finished'],
  ['action.completed', 'Task completed'],
];

export function AddWebhookDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEventName[]>(['job.completed', 'action.completed']);
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [add, { data, isLoading, error, reset }] = useAddWebhookMutation();
  const onceKey = useOnceKey(error);
  const submit = async (): Promise<void> => {
    setTried(true);
    if (url.trim() === '') return field.current?.focus();
    if (events.length === 0) return;
    const asked = { url: url.trim(), events: [...events] };
    const { error: refusal } = await add({ ...asked, once: onceKey(asked) });
    if (refusal) field.current?.focus();
  };
  const close = (): void => {
    reset();
    onClose();
  };
  if (data) return <ShownOnce title="Webhook added" what="signing secret" secret={data.secret} onClose={close} />;
  const forPower = error !== undefined && isForPower(error);
  const refused = error && !forPower ? textOf(error, 'Failed to add the webhook') : null;
  const urlError = tried && url.trim() === '' ? 'Please enter a URL' : refused;
  return (
    <FormDialog title="Add webhook" submit="Add webhook" busy={isLoading} onSubmit={submit} onClose={close}>
      <Field
        ref={field}
        label="URL"
        type="url"
        inputMode="url"
        value={url}
        autoComplete="off"
        placeholder="https://example.com/hooks/seo"
        error={urlError}
        onChange={(event) => setUrl(event.target.value)}
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium text-strong">Events</legend>
        {EVENTS.map(([name, label]) => (
          <label key={name} className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={events.includes(name)}
              onChange={(event) =>
                setEvents(event.target.checked ? [...events, name] : events.filter((other) => other !== name))
              }
            />
            {label}
            <code className="font-mono text-xs text-muted">{name}</code>
          </label>
        ))}
        {tried && events.length === 0 && <FieldError>Please choose at least one event</FieldError>}
      </fieldset>
      {forPower && <PowerNote bad />}
    </FormDialog>
  );
}

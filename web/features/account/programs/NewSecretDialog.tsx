import { useState } from 'react';
import type { RotateWebhookSecretRequest, WebhookView } from '../../../../src/http/contract/webhooks.ts';
import { textOf } from '../../../api/failure.ts';
import { useOnceKey } from '../../../api/onceKey.ts';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { useRotateWebhookSecretMutation } from './programsApi.ts';
import { ShownOnce } from './ShownOnce.tsx';

const FORMER: readonly (readonly [RotateWebhookSecretRequest['former'], string])[] = [
  ['a_day', 'Keeps working for 24 hours'],
  ['stop', 'Stops working at once'],
];

/** Replaces the current signing secret with a new one. */
export function NewSecretDialog({
  webhook,
  host,
  onClose,
}: {
  webhook: WebhookView;
  host: string;
  onClose: () => void;
}) {
  const [former, setFormer] = useState<RotateWebhookSecretRequest['former']>('a_day');
  const [rotate, { data, isLoading, error, reset }] = useRotateWebhookSecretMutation();
  const onceKey = useOnceKey(error);
  const submit = (): void => {
    void rotate({ id: webhook.id, former, once: onceKey(former) });
  };
  const close = (): void => {
    reset();
    onClose();
  };
  if (data) {
    return (
      <ShownOnce title="New signing secret" what="signing secret" secret={data.secret} onClose={close}>
        <p className="mt-3 text-sm text-muted">
          {data.former_until
            ? `The previous secret keeps signing every message until ${exactTime(data.former_until)}.`
            : 'The previous secret no longer signs messages.'}
        </p>
      </ShownOnce>
    );
  }
  return (
    <FormDialog
      title={`Create a new secret for ${host}?`}
      submit="Create new secret"
      busy={isLoading}
      problem={error && textOf(error, 'Failed to create a new secret')}
      onSubmit={submit}
      onClose={close}
    >
      <SelectField
        label="Current secret"
        value={former}
        choices={FORMER}
        onChange={(value) => setFormer(value === 'stop' ? 'stop' : 'a_day')}
      />
      <p className="text-sm text-muted">
        {former === 'a_day'
          ? 'Each message is signed with both secrets, so you can switch your receiver without missing any.'
          : 'For a secret that has leaked. Deliveries will fail until your receiver has the new one.'}
      </p>
    </FormDialog>
  );
}

import { useState } from 'react';
import type { WebhookView } from '../../../../src/http/contract/webhooks.ts';
import { textOf } from '../../../api/failure.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { DeliveriesDialog } from './DeliveriesDialog.tsx';
import { NewSecretDialog } from './NewSecretDialog.tsx';
import { useRemoveWebhookMutation, useSwitchWebhookMutation } from './programsApi.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

interface WebhookRowProps {
  webhook: WebhookView;
  /** The log was closed; what it showed may have changed the webhook's state. */
  onLogRead: () => void;
  onRemoved: (host: string) => void;
}

export function WebhookRow({ webhook, onLogRead, onRemoved }: WebhookRowProps) {
  const [open, setOpen] = useState<'log' | 'secret' | 'remove' | null>(null);
  const [switchOn, { isLoading, error }] = useSwitchWebhookMutation();
  const toggle = (): void => void switchOn({ id: webhook.id, active: !webhook.active });
  const host = hostOf(webhook.url);
  const closeLog = (): void => {
    setOpen(null);
    onLogRead();
  };
  return (
    <li data-row={webhook.id} className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-mono text-sm text-strong wrap-anywhere">{webhook.url}</span>
            <State webhook={webhook} />
          </p>
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
            <span>{webhook.events.join(', ')}</span>
            <span>
              {webhook.last_success_at ? (
                <>
                  last delivered <RelativeTime iso={webhook.last_success_at} />
                </>
              ) : (
                'no deliveries yet'
              )}
            </span>
          </p>
        </div>
        <div className="flex flex-wrap gap-1">
          <Button onClick={() => setOpen('log')} aria-label={`Deliveries to ${host}`}>
            Deliveries
          </Button>
          <Button
            variant="quiet"
            busy={isLoading}
            onClick={toggle}
            aria-label={`Turn ${webhook.active ? 'off' : 'on'} ${host}`}
          >
            Turn {webhook.active ? 'off' : 'on'}
          </Button>
          <Button variant="quiet" onClick={() => setOpen('secret')} aria-label={`New secret for ${host}`}>
            New secret
          </Button>
          <Button variant="danger" onClick={() => setOpen('remove')} aria-label={`Remove ${host}`}>
            Remove
          </Button>
        </div>
      </div>
      {webhook.disabled_reason === 'failing' && (
        <Notice tone="attention" className="mt-2" title="Turned off after a day of failures">
          <p>Nothing is sent until you turn it on again. Check its deliveries, fix the receiver and send a test.</p>
        </Notice>
      )}
      {error && (
        <p role="alert" className="mt-1 text-sm text-bad">
          {textOf(error, 'Failed to change the webhook')}
        </p>
      )}
      {open === 'log' && <DeliveriesDialog webhook={webhook} onClose={closeLog} />}
      {open === 'secret' && <NewSecretDialog webhook={webhook} host={host} onClose={() => setOpen(null)} />}
      {open === 'remove' && (
        <RemoveDialog webhook={webhook} host={host} onRemoved={onRemoved} onClose={() => setOpen(null)} />
      )}
    </li>
  );
}

function State({ webhook }: { webhook: WebhookView }) {
  if (!webhook.active) return <Badge tone={webhook.disabled_reason === 'failing' ? 'bad' : 'plain'}>Off</Badge>;
  return webhook.failing_since ? <Badge tone="attention">Failing</Badge> : <Badge tone="good">Active</Badge>;
}

interface RemoveDialogProps {
  webhook: WebhookView;
  host: string;
  onRemoved: (host: string) => void;
  onClose: () => void;
}

function RemoveDialog({ webhook, host, onRemoved, onClose }: RemoveDialogProps) {
  const [remove, { isLoading, error }] = useRemoveWebhookMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await remove(webhook.id);
    if (refusal) return;
    onRemoved(host);
    onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Remove the webhook to ${host}?`}
      onClose={onClose}
      cancel="Keep it"
      submit="Remove webhook"
      busy={isLoading}
      problem={error && textOf(error, 'Failed to remove the webhook')}
      onSubmit={confirm}
    >
      <p>This deletes its secret and delivery history; pending deliveries won’t be sent. This cannot be undone.</p>
    </FormDialog>
  );
}

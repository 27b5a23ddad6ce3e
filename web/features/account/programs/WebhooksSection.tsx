import { Plus, Webhook } from 'lucide-react';
import { useRef, useState } from 'react';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { AddWebhookDialog } from './AddWebhookDialog.tsx';
import { useListWebhooksQuery } from './programsApi.ts';
import { WebhookRow } from './WebhookRow.tsx';

/** Delivery state may change while the page is open. */
const POLL_MS = 15_000;

export function WebhooksSection() {
  const { data, error, isFetching, refetch } = useListWebhooksQuery(undefined, { pollingInterval: POLL_MS, skipPollingIfUnfocused: true });
  const [adding, setAdding] = useState(false);
  const [said, setSaid] = useState('');
  const card = useRef<HTMLElement>(null);
  useKeptFocus(card);
  const full = data !== undefined && data.data.length >= data.limit;
  return (
    <Card
      ref={card}
      title="Webhooks"
      aside={
        data &&
        data.data.length > 0 && (
          <Button disabled={full} onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" size={14} />
            Add webhook
          </Button>
        )
      }
    >
      <p className="mb-3 text-muted">
        We call your URL when an audit or a task is finished, with a signature so you can verify it’s us.{' '}
        <a href="/api/docs" className="text-accent underline underline-offset-2">
          How to check the signature
        </a>
      </p>
      {data ? (
        data.data.length === 0 ? (
          <div className="rounded-card border border-line border-dashed px-4 py-8 text-center">
            <p className="mb-3">No webhooks yet.</p>
            <Button variant="primary" onClick={() => setAdding(true)}>
              <Webhook aria-hidden="true" size={14} />
              Add webhook
            </Button>
          </div>
        ) : (
          <ul className="divide-y divide-line">
            {data.data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} onLogRead={() => void refetch()} onRemoved={(host) => setSaid(`Webhook to ${host} removed.`)} />
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorPanel
          title="Failed to load webhooks"
          text={textOf(error, 'The server sent an unexpected response.')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div role="status" className="space-y-3">
          <span className="sr-only">Loading the webhooks</span>
          <Skeleton className="h-10 w-full" />
        </div>
      )}
      <Status>{said}</Status>
      {adding && <AddWebhookDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}

import { Plus, Webhook } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { AddWebhookDialog } from './AddWebhookDialog.tsx';
import { NoneYet } from './NoneYet.tsx';
import { useListWebhooksQuery } from './programsApi.ts';
import { WebhookRow } from './WebhookRow.tsx';

/** Delivery state may change while the page is open. */
const POLL_MS = 15_000;

export function WebhooksSection() {
  const query = useListWebhooksQuery(undefined, { pollingInterval: POLL_MS, skipPollingIfUnfocused: true });
  const { data } = query;
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
        We send a signed POST request when an audit finishes or a task is completed.{' '}
        <a href="/api/docs" className="link">
          How to check the signature
        </a>
      </p>
      <QueryState
        query={query}
        title="Failed to load webhooks"
        loading={<RowsSkeleton label="Loading the webhooks" rows={1} />}
        empty={(list) =>
          list.data.length === 0 && (
            <NoneYet text="No webhooks yet." Icon={Webhook} action="Add webhook" onClick={() => setAdding(true)} />
          )
        }
      >
        {(list) => (
          <ul className="divide-y divide-line">
            {list.data.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                webhook={webhook}
                onLogRead={() => void query.refetch()}
                onRemoved={(host) => setSaid(`Webhook to ${host} removed.`)}
              />
            ))}
          </ul>
        )}
      </QueryState>
      <Status>{said}</Status>
      {adding && <AddWebhookDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}

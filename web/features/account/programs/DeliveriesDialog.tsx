import { RotateCw, Send } from 'lucide-react';
import type { WebhookDeliveryView, WebhookView } from '../../../../src/http/contract/webhooks.ts';
import { textOf } from '../../../api/failure.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { Loading } from '../../../ui/Spinner.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { useListDeliveriesQuery, useRedeliverMutation, useTestWebhookMutation } from './programsApi.ts';

/** While a delivery is pending. */
const POLL_MS = 2_000;

export function DeliveriesDialog({ webhook, onClose }: { webhook: WebhookView; onClose: () => void }) {
  const known = useListDeliveriesQuery(webhook.id);
  const isPending = known.data?.data.some(({ status }) => status === 'waiting') ?? false;
  const query = useListDeliveriesQuery(webhook.id, {
    pollingInterval: isPending ? POLL_MS : 0,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  const [test, { isLoading: testing, error: testError }] = useTestWebhookMutation();
  return (
    <Dialog
      wide
      title="Deliveries"
      onClose={onClose}
      footer={
        <Button busy={testing} onClick={() => void test(webhook.id)}>
          <Send aria-hidden="true" size={14} />
          Send a test
        </Button>
      }
    >
      <p className="mb-3 font-mono text-sm text-muted wrap-anywhere">{webhook.url}</p>
      {testError && (
        <p role="alert" className="mb-2 text-sm text-bad">
          {textOf(testError, 'Failed to send a test')}
        </p>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto">
        <QueryState
          query={query}
          title="Failed to load deliveries"
          loading={<Loading label="Loading the deliveries" />}
          empty={({ data }) =>
            data.length === 0 && <p className="py-8 text-center text-muted">No deliveries yet. Send a test event.</p>
          }
        >
          {({ data }) => (
            <ul className="divide-y divide-line">
              {data.map((delivery) => (
                <DeliveryRow key={delivery.id} webhookId={webhook.id} delivery={delivery} />
              ))}
            </ul>
          )}
        </QueryState>
      </div>
    </Dialog>
  );
}

const STATES = {
  waiting: ['attention', 'Waiting'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
} as const;

function DeliveryRow({ webhookId, delivery }: { webhookId: string; delivery: WebhookDeliveryView }) {
  const [redeliver, { isLoading, error }] = useRedeliverMutation();
  const [tone, label] = STATES[delivery.status];
  const last = delivery.tries.at(-1);
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-sm text-strong">{delivery.event}</span>
        <Badge tone={tone}>{label}</Badge>
        <RelativeTime iso={delivery.queued_at} className="flex-1 text-sm text-muted" />
        {delivery.status !== 'waiting' && (
          <Button
            variant="quiet"
            busy={isLoading}
            onClick={() => void redeliver({ id: webhookId, deliveryId: delivery.id })}
            aria-label={`Redeliver ${delivery.event}`}
          >
            <RotateCw aria-hidden="true" size={14} />
            Redeliver
          </Button>
        )}
      </div>
      <div className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        {last ? <TryFacts tried={last} /> : <span>not attempted yet</span>}
        {delivery.status === 'waiting' && delivery.next_try_at && last && (
          <span>next attempt {exactTime(delivery.next_try_at)}</span>
        )}
      </div>
      {delivery.tries.length > 1 && <Tries tries={delivery.tries} />}
      <p className="font-mono text-xs text-muted wrap-anywhere">{delivery.id}</p>
      {error && (
        <p role="alert" className="text-sm text-bad">
          {textOf(error, 'Failed to send it again')}
        </p>
      )}
    </li>
  );
}

type Try = WebhookDeliveryView['tries'][number];

function Tries({ tries }: { tries: readonly Try[] }) {
  return (
    <details className="text-sm text-muted tabular-nums">
      <summary className="w-fit cursor-pointer py-1 pointer-coarse:py-3">{count(tries.length, 'attempt')}</summary>
      <ol className="mb-1 space-y-0.5 border-l-2 border-line pl-3">
        {tries.map((tried, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tries are only ever added, and two may have the same time.
          <li key={`${nth} ${tried.at}`} className="flex flex-wrap gap-x-3">
            <span>{exactTime(tried.at)}</span>
            <TryFacts tried={tried} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The status is enough, except without a response and for redirects. */
function TryFacts({ tried: { status, ms, error, ok } }: { tried: Try }) {
  const hasReason = status === null || (status >= 300 && status < 400);
  return (
    <>
      <span className={ok ? '' : 'text-bad'}>{status === null ? 'no response' : `status ${status}`}</span>
      <span>{ms} ms</span>
      {hasReason && error && <span className="text-bad">{error}</span>}
    </>
  );
}

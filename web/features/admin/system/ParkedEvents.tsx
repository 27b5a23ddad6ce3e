import { useState } from 'react';
import type { ParkedView, SystemView } from '../../../../src/http/contract/admin/system.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { useRetryParkedMutation } from './systemApi.ts';

/** Events that a read model failed to apply: each freezes one document until it is retried. */
export function ParkedEvents({ parked: { total, records } }: Pick<SystemView, 'parked'>) {
  const [status, setStatus] = useState('');
  return (
    <Card title="Parked events">
      <p role="status" className={status === '' ? 'sr-only' : 'mb-2 text-normal'}>
        {status}
      </p>
      {total === 0 ? (
        <p className="text-muted">No events are parked.</p>
      ) : (
        <>
          <p className="mb-2 text-sm text-muted">
            The read models could not apply these events. Each document stays as it was until its event is retried;
            nothing is lost.
          </p>
          <ul aria-label="Parked events" className="divide-y divide-line">
            {records.map((record) => (
              <ParkedRow key={`${record.model}/${record.document_id}`} record={record} onStatus={setStatus} />
            ))}
          </ul>
          {records.length < total && (
            <p className="pt-2 text-sm text-muted">
              The oldest {grouped(records.length)} of {grouped(total)} are shown.
            </p>
          )}
        </>
      )}
    </Card>
  );
}

const OUTCOMES = {
  applied: 'Done: the event was applied.',
  still_parked: 'It failed again and stays parked.',
  pending: 'Retry requested. This page updates when it’s done.',
} as const;

function ParkedRow({ record, onStatus }: { record: ParkedView; onStatus: (text: string) => void }) {
  const [retry, { isLoading, error }] = useRetryParkedMutation();
  const { model, document_id, event_type, position, parked_at } = record;
  const ask = async (): Promise<void> => {
    onStatus('');
    const { data } = await retry({ model, document_id });
    if (data) onStatus(`${model} ${document_id}: ${OUTCOMES[data.outcome]}`);
  };
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere">
          <span className="font-medium text-strong">{event_type}</span> in {model}, document{' '}
          <span className="font-mono text-sm">{document_id}</span>
        </p>
        <p className="font-mono text-sm text-bad wrap-anywhere">{record.error}</p>
        <p className="text-sm text-muted">
          Position {position.replace(/^0+(?=\d)/, '')} · <RelativeTime iso={parked_at} />
        </p>
        {error && (
          <p role="alert" className="text-sm text-bad">
            {textOf(error, 'Failed to ask for a retry')}
          </p>
        )}
      </div>
      <Button busy={isLoading} aria-label={`Retry ${event_type} in ${model}`} onClick={() => void ask()}>
        Retry
      </Button>
    </li>
  );
}

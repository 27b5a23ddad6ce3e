import { useState } from 'react';
import type { WorkItemView } from '../../../../src/http/contract/admin/system.ts';
import { WORK_KIND_NAMES } from '../../../../src/model/workKinds.ts';
import { textOf } from '../../../api/failure.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useClock } from '../../../ui/text/clock.ts';
import { exactTime, relativeTime } from '../../../ui/text/time.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { DropDialog } from './DropDialog.tsx';
import { useDropWorkMutation, useListWorkQuery, useRetryWorkMutation } from './systemApi.ts';

/** Work items of one kind, paged, earliest due first. */
export function WorkItems({ kind }: { kind: string }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = useListWorkQuery(
    { kind, ...(cursor === undefined ? {} : { cursor }) },
    { ...ADMIN_POLLING, refetchOnMountOrArgChange: true },
  );
  const [dropping, setDropping] = useState<WorkItemView | null>(null);
  return (
    // Not the previous page's data: its 'Next' would lead back to this page.
    <AdminAnswer
      query={{ ...query, data: query.currentData }}
      title="Failed to load this work"
      textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
    >
      {({ items, cursor: next }) => (
        <div className="mt-2">
          {items.length === 0 && <p className="text-sm text-muted">Nothing is pending.</p>}
          <ul
            aria-label={`Pending: ${WORK_KIND_NAMES[kind] ?? kind}`}
            className="divide-y divide-line border-l-2 border-line pl-3"
          >
            {items.map((item) => (
              <WorkRow key={item.item_id} item={item} onDrop={() => setDropping(item)} />
            ))}
          </ul>
          {(cursors.length > 0 || next !== null) && (
            <div className="flex gap-2 pt-2">
              <Button variant="quiet" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
                Previous
              </Button>
              <Button
                variant="quiet"
                disabled={next === null}
                onClick={() => next !== null && setCursors([...cursors, next])}
              >
                Next
              </Button>
            </div>
          )}
          {dropping && <DropItem item={dropping} onClose={() => setDropping(null)} />}
        </div>
      )}
    </AdminAnswer>
  );
}

function WorkRow({ item, onDrop }: { item: WorkItemView; onDrop: () => void }) {
  const [retry, { isLoading, error }] = useRetryWorkMutation();
  const { kind, item_id, due_at, attempts, failure, running } = item;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-mono text-sm wrap-anywhere">{item_id}</p>
        <p className="text-sm text-muted wrap-anywhere">
          Due <DueTime at={due_at} />
          {attempts > 0 && ` · failed ${attempts} ${attempts === 1 ? 'time' : 'times'}`}
          {failure && ` · ${failure}`}
        </p>
        {error && (
          <p role="alert" className="text-sm text-bad">
            {textOf(error, 'Failed to retry')}
          </p>
        )}
      </div>
      {running && <Badge tone="info">Running</Badge>}
      <Button busy={isLoading} aria-label={`Retry ${item_id}`} onClick={() => void retry({ kind, item_id })}>
        Retry
      </Button>
      <Button variant="danger" aria-label={`Drop ${item_id}`} onClick={onDrop}>
        Drop
      </Button>
    </li>
  );
}

/** May be in the future, for a retry or scheduled work. */
function DueTime({ at }: { at: string }) {
  const now = useClock();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** What dropping an item means for those affected. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  audit: 'The audit fails, and its owner gets the audit back.',
  mail: 'The email will not be sent.',
  webhook: 'The delivery is marked as failed. Its owner can send it again.',
  rework: 'The regeneration fails, and its owner can ask for it again.',
  accountExport: 'The file is not written. The user can request it again.',
  promptTrial: 'The model is not asked. The admin who tries the prompt can try again.',
  providerEvent: 'The payment provider’s event will be ignored. Check that user’s bill afterwards.',
  sequenceMail: 'The email will not be sent; its sequence continues with the next one.',
  followUp: 'The follow-up of this event will be skipped.',
};

function DropItem({ item: { kind, item_id }, onClose }: { item: WorkItemView; onClose: () => void }) {
  const [drop, { isLoading, error }] = useDropWorkMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await drop({ kind, item_id });
    if (!refusal) onClose();
  };
  return (
    <DropDialog isLoading={isLoading} error={error} onConfirm={confirm} onClose={onClose}>
      <p>
        <span className="font-mono text-sm wrap-anywhere">{item_id}</span> is given up. {CONSEQUENCES[kind]} It stays
        listed as given up, where you can still retry it.
      </p>
    </DropDialog>
  );
}

import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { GivenUpView } from '../../../../src/http/contract/admin/givenUp.ts';
import { WORK_KIND_NAMES } from '../../../../src/model/workKinds.ts';
import { textOf } from '../../../api/failure.ts';
import { adminHistoryPath, adminUserPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { grouped } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { DropDialog } from './DropDialog.tsx';
import {
  useDropGivenUpMutation,
  useListGivenUpQuery,
  useRetryAllGivenUpMutation,
  useRetryGivenUpMutation,
} from './systemApi.ts';

/** Given-up work of one kind, paged, newest first. */
export function GivenUpWork({ kind }: { kind: string }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = useListGivenUpQuery(
    { kind, ...(cursor === undefined ? {} : { cursor }) },
    { ...ADMIN_POLLING, refetchOnMountOrArgChange: true },
  );
  const [dropping, setDropping] = useState<GivenUpView | null>(null);
  const [status, setStatus] = useState('');
  const name = WORK_KIND_NAMES[kind] ?? kind;
  return (
    <div className="mt-2">
      <p role="status" className={status === '' ? 'sr-only' : 'mb-2 text-normal'}>
        {status}
      </p>
      {/* Not the previous page's data: its 'Next' would lead back to this page. */}
      <AdminAnswer
        query={{ ...query, data: query.currentData }}
        title="Failed to load given-up work"
        textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
      >
        {({ items, cursor: next }) => (
          <>
            {items.length === 0 && (
              <p className="text-sm text-muted">
                {cursors.length === 0 ? 'No work was given up.' : 'This page is empty now.'}
              </p>
            )}
            <ul aria-label={`Given up: ${name}`} className="divide-y divide-line border-l-2 border-line pl-3">
              {items.map((item) => (
                <GivenUpRow key={item.item_id} item={item} onStatus={setStatus} onDrop={() => setDropping(item)} />
              ))}
            </ul>
            <div className="flex flex-wrap gap-2 pt-2">
              {(cursors.length > 0 || next !== null) && (
                <>
                  <Button
                    variant="quiet"
                    disabled={cursors.length === 0}
                    onClick={() => setCursors(cursors.slice(0, -1))}
                  >
                    Previous
                  </Button>
                  <Button
                    variant="quiet"
                    disabled={next === null}
                    onClick={() => next !== null && setCursors([...cursors, next])}
                  >
                    Next
                  </Button>
                </>
              )}
              {(items.length > 1 || cursors.length > 0) && <RetryAll kind={kind} onStatus={setStatus} />}
            </div>
            {dropping && <DropGivenUp item={dropping} onStatus={setStatus} onClose={() => setDropping(null)} />}
          </>
        )}
      </AdminAnswer>
    </div>
  );
}

type StatusProps = { onStatus: (text: string) => void };

function GivenUpRow({ item, onStatus, onDrop }: { item: GivenUpView; onDrop: () => void } & StatusProps) {
  const [retry, { isLoading, error }] = useRetryGivenUpMutation();
  const { kind, item_id, about, owner, attempts, reason, given_up_at, stream } = item;
  const ask = async (): Promise<void> => {
    onStatus('');
    const { error: refusal } = await retry({ kind, item_id });
    if (!refusal) onStatus(`${about}: pending again.`);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="wrap-anywhere">
          <Link to={adminHistoryPath(stream)} className="underline underline-offset-2">
            {about}
          </Link>
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          {reason}
          {attempts !== null && ` · ${grouped(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'}`} ·{' '}
          <RelativeTime iso={given_up_at} />
          {owner && (
            <>
              {' · '}
              <Link to={adminUserPath(owner.id)} className="underline underline-offset-2">
                {owner.email}
              </Link>
            </>
          )}
        </p>
        {error && (
          <p role="alert" className="text-sm text-bad">
            {textOf(error, 'Failed to retry')}
          </p>
        )}
      </div>
      <Button busy={isLoading} aria-label={`Retry ${about}`} onClick={() => void ask()}>
        Retry
      </Button>
      <Button variant="danger" aria-label={`Drop ${about}`} onClick={onDrop}>
        Drop
      </Button>
    </li>
  );
}

/** Asks again until the end of the list, since one request tries only a part of it. */
function RetryAll({ kind, onStatus }: { kind: string } & StatusProps) {
  const [retryAll] = useRetryAllGivenUpMutation();
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    let [retried, refused] = [0, 0];
    let failure = '';
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, error } = await retryAll({ kind, cursor });
      retried += data?.retried ?? 0;
      refused += data?.refused ?? 0;
      if (error) failure = textOf(error, 'Failed to retry the rest.');
      cursor = data?.cursor ?? null;
      onStatus(
        [
          `${grouped(retried)} pending again.`,
          refused > 0 && `${grouped(refused)} can’t be retried; Retry on each one says why.`,
          failure,
        ]
          .filter(Boolean)
          .join(' '),
      );
    }
    setBusy(false);
  };
  return (
    <Button busy={busy} aria-label={`Retry all: ${WORK_KIND_NAMES[kind] ?? kind}`} onClick={() => void ask()}>
      Retry all
    </Button>
  );
}

function DropGivenUp({
  item: { kind, item_id, about },
  onStatus,
  onClose,
}: { item: GivenUpView; onClose: () => void } & StatusProps) {
  const [drop, { isLoading, error }] = useDropGivenUpMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await drop({ kind, item_id });
    if (refusal) return;
    onStatus(`${about}: dropped.`);
    onClose();
  };
  return (
    <DropDialog isLoading={isLoading} error={error} onConfirm={confirm} onClose={onClose}>
      <p className="wrap-anywhere">
        “{about}” is removed from this list and can’t be retried from here anymore. Its history stays.
      </p>
    </DropDialog>
  );
}

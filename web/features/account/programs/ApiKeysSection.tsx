import { KeyRound, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ApiKeyView } from '../../../../src/http/contract/apiKeys.ts';
import { textOf } from '../../../api/failure.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { EventCommands } from './EventCommands.tsx';
import { NewApiKeyDialog } from './NewApiKeyDialog.tsx';
import { NoneYet } from './NoneYet.tsx';
import { useListApiKeysQuery, useRevokeApiKeyMutation } from './programsApi.ts';
import { SCOPE_NAMES } from './scopeNames.ts';

/** Admins may also create keys for analysts. */
export function ApiKeysSection({ isAdmin }: { isAdmin: boolean }) {
  const query = useListApiKeysQuery();
  const { data } = query;
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKeyView | null>(null);
  const [said, setSaid] = useState('');
  const card = useRef<HTMLElement>(null);
  useKeptFocus(card);
  const full = data !== undefined && data.data.length >= data.limit;
  return (
    <Card
      ref={card}
      title="API keys"
      aside={
        data &&
        data.data.length > 0 && (
          <Button variant="secondary" disabled={full} onClick={() => setMaking(true)}>
            <Plus aria-hidden="true" size={14} />
            Create API key
          </Button>
        )
      }
    >
      <p className="mb-3 text-muted">
        For your own programs. Send the key as{' '}
        <code className="rounded-[4px] bg-inset px-1 font-mono text-sm">Authorization: Bearer …</code>.{' '}
        <a href="/api/docs" className="link">
          How the API works
        </a>
      </p>
      <QueryState
        query={query}
        title="Failed to load API keys"
        loading={<RowsSkeleton label="Loading the API keys" rows={2} />}
        empty={(list) =>
          list.data.length === 0 && (
            <NoneYet text="No API keys yet." Icon={KeyRound} action="Create API key" onClick={() => setMaking(true)} />
          )
        }
      >
        {(list) => (
          <ul className="divide-y divide-line">
            {list.data.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
            ))}
          </ul>
        )}
      </QueryState>
      {full && (
        <p className="mt-2 text-sm text-muted">
          You’ve reached the limit of {data.limit} keys. Revoke one to create another.
        </p>
      )}
      <Status>{said}</Status>
      {making && <NewApiKeyDialog isAdmin={isAdmin} onClose={() => setMaking(false)} />}
      {revoking && (
        <RevokeDialog
          apiKey={revoking}
          onRevoked={() => setSaid(`Key “${revoking.name}” revoked.`)}
          onClose={() => setRevoking(null)}
        />
      )}
    </Card>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKeyView; onRevoke: () => void }) {
  const expired = apiKey.expires_at !== null && Date.parse(apiKey.expires_at) <= Date.now();
  return (
    <li data-row={apiKey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium text-strong wrap-anywhere">{apiKey.name}</span>
          <Badge tone={apiKey.scope === 'write' ? 'info' : 'plain'}>{SCOPE_NAMES[apiKey.scope]}</Badge>
          {expired && <Badge tone="bad">Expired</Badge>}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-muted">
          <span className="font-mono">seo_live_…{apiKey.hint}</span>
          <span>
            {apiKey.last_used_at ? (
              <>
                last used <RelativeTime iso={apiKey.last_used_at} />
              </>
            ) : (
              'never used'
            )}
          </span>
          <span>
            {apiKey.expires_at ? `${expired ? 'expired' : 'expires'} ${dayOf(apiKey.expires_at)}` : 'no expiry'}
          </span>
        </p>
      </div>
      <Button variant="danger" onClick={onRevoke} aria-label={`Revoke ${apiKey.name}`}>
        Revoke
      </Button>
      {apiKey.assistant_calls && apiKey.assistant_calls.length > 0 && <AssistantCalls calls={apiKey.assistant_calls} />}
      {apiKey.scope === 'events:read' && !expired && (
        <details className="basis-full">
          <summary className="cursor-pointer text-sm text-muted">Commands for curl, DuckDB and Python</summary>
          <div className="mt-2">
            <EventCommands />
          </div>
        </details>
      )}
    </li>
  );
}

function AssistantCalls({ calls }: { calls: NonNullable<ApiKeyView['assistant_calls']> }) {
  const all = calls.reduce((sum, each) => sum + each.calls, 0);
  return (
    <details className="basis-full">
      <summary className="cursor-pointer text-sm text-muted">What assistants did: {count(all, 'call')}</summary>
      <ul aria-label="Calls by tool" className="mt-2 grid gap-x-6 sm:grid-cols-2">
        {calls.map(({ tool, calls: number, last_at }) => (
          <li
            key={tool}
            className="flex flex-wrap items-center justify-between gap-x-2 border-b border-line py-1 text-sm text-muted tabular-nums"
          >
            <span className="font-mono text-normal">{tool}</span>
            <span>
              {count(number, 'call')}, last <RelativeTime iso={last_at} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function RevokeDialog({
  apiKey,
  onRevoked,
  onClose,
}: {
  apiKey: ApiKeyView;
  onRevoked: () => void;
  onClose: () => void;
}) {
  const [revoke, { isLoading, error }] = useRevokeApiKeyMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await revoke(apiKey.id);
    if (refusal) return;
    onRevoked();
    onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Revoke “${apiKey.name}”?`}
      onClose={onClose}
      cancel="Keep it"
      submit="Revoke key"
      busy={isLoading}
      problem={error && textOf(error, 'Failed to revoke the key')}
      onSubmit={confirm}
    >
      <p>Programs that use this key will stop working at once. This cannot be undone.</p>
    </FormDialog>
  );
}

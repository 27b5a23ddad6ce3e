import { ExternalLink, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ShareItem } from '../../../src/http/contract/share.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import type { Tone } from '../../ui/Notice.tsx';
import { paths } from '../../ui/paths.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { RelativeTime } from '../../ui/text/RelativeTime.tsx';
import { exactTime } from '../../ui/text/time.ts';
import { count } from '../../ui/text/wording.ts';
import { CopyLink } from './CopyLink.tsx';
import { RevokeDialog } from './RevokeDialog.tsx';
import { expiryText, PART_NAMES, stateOf } from './shareWording.ts';
import { useListSharesQuery } from './sharingApi.ts';

const FALLBACK = 'Failed to load shared links';
const TONES: Readonly<Record<ReturnType<typeof stateOf>, Tone | 'plain'>> = {
  Active: 'good',
  Expired: 'attention',
  Inactive: 'plain',
};

/** All of the user's shared links, newest first. */
export function SharesList() {
  const query = useListSharesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [revoking, setRevoking] = useState<ShareItem | null>(null);
  return (
    <QueryState
      query={query}
      title={FALLBACK}
      text={FALLBACK}
      retryLabel="Try Again"
      loading={<ListSkeleton />}
      empty={(items) => items.length === 0 && <NoLinks />}
    >
      {(items) => (
        <>
          <ul aria-label="Shared links" className="divide-y divide-line panel">
            {items.map((item) => (
              <ShareRow key={item.id} item={item} onRevoke={() => setRevoking(item)} />
            ))}
          </ul>
          {revoking && (
            <RevokeDialog
              item={revoking}
              returnTo={() => document.getElementById(titleId(revoking))}
              onClose={() => setRevoking(null)}
            />
          )}
        </>
      )}
    </QueryState>
  );
}

const titleId = ({ id }: ShareItem): string => `title-${id}`;

function ShareRow({ item, onRevoke }: { item: ShareItem; onRevoke: () => void }) {
  const now = Date.now();
  const state = stateOf(item, now);
  return (
    <li className="grid gap-x-6 gap-y-3 px-4 py-4 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h2 id={titleId(item)} tabIndex={-1} className="min-w-0 text-base wrap-anywhere">
            {item.title}
          </h2>
          <Badge tone={TONES[state]}>{state}</Badge>
          <Badge tone="plain">{item.share_mode === 'full' ? 'Full access' : 'Preview'}</Badge>
        </div>
        {item.description && <p className="mt-1 wrap-anywhere">{item.description}</p>}
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
          <span>{item.shared_content.map((part) => PART_NAMES[part]).join(', ')}</span>
          <span>
            Created <RelativeTime iso={item.created_at} />
          </span>
          <span className="tabular-nums">{count(item.view_count, 'view')}</span>
          {item.sign_ups > 0 && <span className="tabular-nums">{count(item.sign_ups, 'sign-up')}</span>}
          <span title={item.expires_at ? exactTime(item.expires_at) : undefined}>
            {expiryText(item.expires_at, now)}
          </span>
        </p>
        {state === 'Active' && !item.shareUrl && (
          <p className="mt-1 text-sm text-muted">
            This link works, but can no longer be shown. Create another to copy it.
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {state === 'Active' && item.shareUrl && (
          <>
            <CopyLink url={item.shareUrl} about={`to ${item.title}`} />
            <a
              href={item.shareUrl}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`Open ${item.title} in a new tab`}
              className={buttonClasses('quiet')}
            >
              <ExternalLink aria-hidden="true" size={14} />
              Open
            </a>
          </>
        )}
        {item.is_active && (
          <Button variant="danger" aria-label={`Revoke ${item.title}`} onClick={onRevoke}>
            Revoke
          </Button>
        )}
      </div>
    </li>
  );
}

function NoLinks() {
  return (
    <div className="panel px-4 py-12 text-center">
      <Link2 aria-hidden="true" size={28} className="mx-auto text-muted" />
      <h2 className="mt-3 text-lg">No shared links yet</h2>
      <p className="mt-1 text-muted">
        Open an audit’s action items and press Share. Anyone with the link can see them, read-only.
      </p>
      <Link to={paths.actions} className={buttonClasses('primary', 'mt-4')}>
        Open action items
      </Link>
    </div>
  );
}

function ListSkeleton() {
  return (
    <div role="status" className="divide-y divide-line panel">
      <span className="sr-only">Loading shared links</span>
      {[1, 2, 3].map((nth) => (
        <div key={nth} className="space-y-2 px-4 py-4">
          <Skeleton className="h-5 w-64 max-w-full" />
          <Skeleton className="h-4 w-96 max-w-full" />
        </div>
      ))}
    </div>
  );
}

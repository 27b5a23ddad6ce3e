import { Link } from 'react-router-dom';
import type { AdminShareView } from '../../../../src/http/contract/admin/users.ts';
import { SHARES_LISTED } from '../../../../src/model/adminLists.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Card } from '../../../ui/Card.tsx';
import type { Tone } from '../../../ui/Notice.tsx';
import { ExactTime } from '../../../ui/text/ExactTime.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { count } from '../../../ui/text/wording.ts';

/** `then`: the past moment as of which they are, in ms; absent: now. */
export function UserShares({ shares, then }: { shares: readonly AdminShareView[]; then?: number }) {
  return (
    <Card title="Shared links">
      {shares.length === 0 && <p className="text-muted">No shared links.</p>}
      <ul aria-label="Shared links" className="divide-y divide-line">
        {shares.map((share) => {
          const [tone, word] = stateOf(share, then ?? Date.now());
          return (
            <li key={share.id} className="py-2">
              <p className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 text-strong wrap-anywhere">{share.title}</span>
                <Badge tone={tone}>{word}</Badge>
                <Badge tone="plain">{share.share_mode === 'full' ? 'Full access' : 'Preview'}</Badge>
              </p>
              <p className="text-sm text-muted">
                Created{' '}
                {then === undefined ? <RelativeTime iso={share.created_at} /> : <ExactTime iso={share.created_at} />} ·{' '}
                {count(share.view_count, 'view')} ·{' '}
                <Link
                  to={adminHistoryPath(`shares-${share.job_id}`)}
                  aria-label={`History of ${share.title}`}
                  className="link"
                >
                  History
                </Link>
              </p>
            </li>
          );
        })}
      </ul>
      {shares.length >= SHARES_LISTED && (
        <p className="pt-2 text-sm text-muted">The newest {shares.length} are shown.</p>
      )}
    </Card>
  );
}

function stateOf({ is_active, expires_at }: AdminShareView, at: number): readonly [Tone | 'plain', string] {
  if (!is_active) return ['plain', 'Inactive'];
  return expires_at !== null && Date.parse(expires_at) <= at ? ['attention', 'Expired'] : ['good', 'Active'];
}

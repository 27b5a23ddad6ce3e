import type { ProcessView, SystemView } from '../../../../src/http/contract/admin/system.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Card } from '../../../ui/Card.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { memoryText } from './wording.ts';

export function Processes({ processes }: Pick<SystemView, 'processes'>) {
  return (
    <Card title="Processes">
      {processes.length === 0 ? (
        <p className="text-muted">No process has reported yet.</p>
      ) : (
        <ul aria-label="Processes" className="divide-y divide-line">
          {processes.map((process) => (
            <ProcessRow key={process.id} process={process} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function ProcessRow({
  process: { role, host, pid, since, seen_at, gone, version, loop_delay_ms, rss },
}: {
  process: ProcessView;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="font-medium text-strong wrap-anywhere">
        {role} on {host}
      </span>
      <Badge tone={gone ? 'bad' : 'good'}>{gone ? 'Gone' : 'Running'}</Badge>
      <span className="text-sm text-muted">
        PID {pid} · version {version} · started <RelativeTime iso={since} /> · {memoryText(rss)} · event loop delay{' '}
        {loop_delay_ms} ms (p99)
        {gone && (
          <>
            {' '}
            · last seen <RelativeTime iso={seen_at} />
          </>
        )}
      </span>
    </li>
  );
}

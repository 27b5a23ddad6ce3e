import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { HistoryEventView } from '../../../../src/http/contract/admin/history.ts';
import { hasCauses } from '../../../../src/model/history/eventCauses.ts';
import { textOf } from '../../../api/failure.ts';
import { adminCausesPath } from '../../../ui/adminPaths.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ChangeList } from './ChangeList.tsx';
import { useStreamStateQuery } from './historyApi.ts';

/** One event as stored, with the full state before and after it. */
export function EventDetails({
  stream,
  event,
  hasStates,
}: {
  stream: string;
  event: HistoryEventView;
  hasStates: boolean;
}) {
  const query = useStreamStateQuery({ stream, at: event.revision });
  const { type, id, position, correlation_id, causation_id, stored_version, version, actor, unreadable } = event;
  return (
    <div className="space-y-3 rounded-control bg-inset p-3">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Fact name="Type">{type}</Fact>
        <Fact name="Version">
          {stored_version === version ? version : `stored as ${stored_version}, shown as ${version}`}
        </Fact>
        <Fact name="Done by">
          {[`${actor.kind} ${actor.id}`, actor.on_behalf_of && `for ${actor.on_behalf_of}`].filter(Boolean).join(', ')}
        </Fact>
        <Fact name="Event">{id}</Fact>
        <Fact name="Position">{position}</Fact>
        <Fact name="Started by">{correlation_id}</Fact>
        <Fact name="Command">{causation_id}</Fact>
        {unreadable !== null && <Fact name="Cannot be read">{unreadable}</Fact>}
      </dl>
      {hasCauses(type) && (
        <Link
          to={adminCausesPath(id)}
          className="inline-flex min-h-8 items-center text-sm text-accent underline pointer-coarse:min-h-11"
        >
          Causes and effects
        </Link>
      )}
      {event.changes.length > 0 && (
        <section aria-label="Changes">
          <h4 className="mb-1 text-sm text-muted">Changes</h4>
          <ChangeList event={event} />
        </section>
      )}
      <AdminAnswer
        query={query}
        title="Failed to load the event"
        textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
      >
        {({ event: whole, before, after }) => (
          <>
            <Json name="Data" value={whole.data} open />
            {hasStates && <Json name="State before" value={before} />}
            {hasStates && <Json name="State after" value={after} />}
          </>
        )}
      </AdminAnswer>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="font-mono text-xs leading-5 text-strong wrap-anywhere">{children}</dd>
    </>
  );
}

function Json({ name, value, open = false }: { name: string; value: unknown; open?: boolean }) {
  return (
    <details open={open}>
      <summary className="min-h-6 cursor-pointer text-sm text-normal pointer-coarse:min-h-11">{name}</summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={name}
        className="max-h-96 overflow-auto rounded-control border border-line bg-card p-2"
      >
        <pre className="font-mono text-xs whitespace-pre-wrap wrap-anywhere">{JSON.stringify(value, null, 2)}</pre>
      </section>
    </details>
  );
}

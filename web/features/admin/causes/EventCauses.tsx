import { Link } from 'react-router-dom';
import type { CausesView } from '../../../../src/http/contract/admin/causes.ts';
import { adminCausesPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { CauseTree } from './CauseTree.tsx';
import { useCausesOfEventInfiniteQuery } from './causesApi.ts';
import { nested } from './nesting.ts';

const failure = (status: number): string =>
  status === 404 ? 'There is no such event, or it has no effects.' : `Failed to fetch the causes: ${status}`;

/** The causes and effects of an event, as a tree. */
export function EventCauses({ eventId }: { eventId: string }) {
  const query = useCausesOfEventInfiniteQuery(eventId, { refetchOnMountOrArgChange: true });
  return (
    <Card title="Causes and effects">
      <AdminAnswer query={query} title="Failed to load the causes" textOf={failure}>
        {({ pages }) => <Chain views={pages.map(({ data }) => data)} />}
      </AdminAnswer>
      {query.hasNextPage && (
        <div className="pt-2 text-center">
          <Button variant="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </Card>
  );
}

function Chain({ views }: { views: readonly CausesView[] }) {
  const [first] = views;
  if (!first) return null;
  const isCut = views.some(({ cut }) => cut);
  return (
    <>
      <Beginning view={first} />
      <CauseTree label="Chain of causes" branches={nested(views)} lookedAt={first.event?.id ?? null} />
      {first.event && first.following.length === 0 && <p className="mt-2 text-muted">No further effects.</p>}
      {isCut && <p className="mt-2 text-muted">There are more effects. Open an event’s “Causes” to see all of them.</p>}
    </>
  );
}

const BEGINNINGS: Readonly<Record<CausesView['beginning']['kind'], string>> = {
  request: 'Started by the request',
  command: 'Started by a timer or an operator, command',
  deleted: 'Started by an event that has been deleted:',
  unknown: 'Recorded before causes were tracked.',
};

function Beginning({ view: { beginning, event } }: { view: CausesView }) {
  const { kind, id } = beginning;
  return (
    <p className="mb-2 wrap-anywhere">
      {BEGINNINGS[kind]} {kind !== 'unknown' && <code className="font-mono text-sm">{id}</code>}
      {event && (kind === 'request' || kind === 'command') && (
        <>
          {' · '}
          <Link to={adminCausesPath(id)} className="text-accent underline">
            All effects
          </Link>
        </>
      )}
    </p>
  );
}

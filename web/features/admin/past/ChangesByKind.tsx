import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ChangesResponse } from '../../../../src/http/contract/admin/past.ts';
import { CHANGE_KINDS, type ChangeKind, TYPES_OF_CHANGE } from '../../../../src/model/history/changeKinds.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useListChangesOfKindInfiniteQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

const NAMES: Readonly<Record<ChangeKind, string>> = {
  users: 'Users',
  jobs: 'Jobs',
  shares: 'Shared links',
  prompts: 'Prompts',
  sequences: 'Email sequences',
  money: 'Payments and plans',
};

/**
 * What was changed, by kind: the number of changes each, and on demand the events, which link to their place in the
 * history.
 */
export function ChangesByKind({
  counted: { from, to, counts },
}: {
  counted: Pick<ChangesResponse, 'from' | 'to' | 'counts'>;
}) {
  const times = new Map(counts.map(({ type, count: number }) => [type, number]));
  const shown = CHANGE_KINDS.map((kind) => ({
    kind,
    number: TYPES_OF_CHANGE[kind].reduce((sum, type) => sum + (times.get(type) ?? 0), 0),
  }));
  return (
    <Card title="What was changed">
      <ul aria-label="Changes by kind" className="divide-y divide-line">
        {shown.map(({ kind, number }) => (
          <Kind key={kind} kind={kind} number={number} from={from.position} to={to.position} />
        ))}
      </ul>
    </Card>
  );
}

interface KindProps {
  kind: ChangeKind;
  number: number;
  from: string;
  to: string;
}

function Kind({ kind, number, from, to }: KindProps) {
  const [open, setOpen] = useState(false);
  return (
    <li className="py-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <span>
          {NAMES[kind]}: <span className="text-strong tabular-nums">{count(number, 'change')}</span>
        </span>
        {number > 0 && (
          <Button
            variant="quiet"
            aria-expanded={open}
            aria-label={`${open ? 'Hide' : 'Show'}: ${NAMES[kind]}`}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      {open && <Events kind={kind} from={from} to={to} />}
    </li>
  );
}

function Events({ kind, from, to }: Omit<KindProps, 'number'>) {
  const query = useListChangesOfKindInfiniteQuery({ kind, from, to });
  return (
    <AdminAnswer query={query} title="Failed to load the changes" textOf={pastFailure('There is nothing there.')}>
      {({ pages }) => (
        <>
          <ul aria-label={`Changes: ${NAMES[kind]}`} className="divide-y divide-line border-t border-line">
            {pages
              .flatMap(({ data }) => data)
              .map(({ position, stream, revision, title, at, by, what, detail }) => (
                <li key={position} className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5">
                  <span className="min-w-0 wrap-anywhere">
                    <Link to={`${adminHistoryPath(stream)}#${revision}`} className="link pointer-coarse:touch-line">
                      {title}
                    </Link>
                    <span className="text-strong">
                      {' '}
                      {[what ?? 'deleted since', detail].filter((text) => text !== null).join(' · ')}
                    </span>
                  </span>
                  <span className="text-sm text-muted tabular-nums">
                    {exactTime(at, 'seconds')} · {by}
                  </span>
                </li>
              ))}
          </ul>
          {query.hasNextPage && (
            <Button variant="quiet" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Load more
            </Button>
          )}
        </>
      )}
    </AdminAnswer>
  );
}

import { useSearchParams } from 'react-router-dom';
import type { UserProgressResponse, UserProgressSort } from '../../../../src/http/contract/admin/userProgress.ts';
import { Button } from '../../../ui/Button.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { PrefixSearch } from '../PrefixSearch.tsx';
import { useListed } from '../useListed.ts';
import { timeSavedText } from './progressWording.ts';
import { COLUMNS, UserProgressTable } from './UserProgressTable.tsx';
import { type ProgressOrder, useListUserProgressInfiniteQuery } from './usersApi.ts';

const USUAL: ProgressOrder = { sort: 'last_activity', order: 'desc', search: '' };

function orderFrom(address: URLSearchParams): ProgressOrder {
  const sort = COLUMNS.find((column) => column.sort === address.get('sort'))?.sort ?? USUAL.sort;
  return { sort, order: address.get('order') === 'asc' ? 'asc' : 'desc', search: address.get('search') ?? '' };
}

/** Defaults are omitted. */
function addressOf(order: ProgressOrder): URLSearchParams {
  return new URLSearchParams(Object.entries(order).filter(([name, value]) => value !== USUAL[name as keyof ProgressOrder]));
}

/** All users' progress; order and search are kept in the address. */
export function UserProgressList() {
  const [address, setAddress] = useSearchParams();
  const order = orderFrom(address);
  const query = useListUserProgressInfiniteQuery(order, ADMIN_POLLING);
  const show = (change: Partial<ProgressOrder>): void => setAddress(addressOf({ ...order, ...change }), { replace: true });
  const listed = useListed(query, order.search);
  const found = order.search === '' ? undefined : listed?.pages.reduce((sum, { data }) => sum + data.length, 0);
  // The server sorts the results of a search by any column if they fit on one page.
  const only = order.search !== '' && listed?.pages[0]?.cursor ? 'email' : undefined;
  const sortBy = (sort: UserProgressSort): void => show({ sort, order: sort === (only ?? order.sort) && order.order === 'desc' ? 'asc' : 'desc' });
  return (
    <div className="space-y-4">
      <PrefixSearch label="Email begins with" clear="Show everybody" value={order.search} onSearch={(search) => show({ search })} />
      <Status>{found !== undefined && `${count(found, 'user')} found${query.hasNextPage ? ', and more' : ''}`}</Status>
      <AdminAnswer
        query={{ ...query, data: listed }}
        title="Error loading users"
        textOf={(status) => (status === 0 ? 'Failed to fetch user progress: no answer' : `Failed to fetch user progress: ${status}`)}
      >
        {({ pages }) => (
          <>
            {pages[0] && <Summary of={pages[0].summary} />}
            <UserProgressTable rows={pages.flatMap(({ data }) => data)} order={order} only={only} onSort={sortBy} />
            {query.hasNextPage && (
              <div className="text-center">
                <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Load more
                </Button>
              </div>
            )}
          </>
        )}
      </AdminAnswer>
    </div>
  );
}

function Summary({ of }: { of: UserProgressResponse['summary'] }) {
  return (
    <p className="text-sm text-muted tabular-nums">
      {count(of.users, 'user')} · {count(of.total_actions, 'action item')}, {count(of.completed_actions, 'completed', 'completed')} ·{' '}
      {timeSavedText(of.time_saved)} saved
    </p>
  );
}

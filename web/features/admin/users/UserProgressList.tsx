import { useSearchParams } from 'react-router-dom';
import type { UserProgressResponse, UserProgressSort } from '../../../../src/http/contract/admin/userProgress.ts';
import { SearchForm } from '../../../ui/form/SearchForm.tsx';
import { turned } from '../../../ui/table/column.ts';
import { Rest, rowsIn } from '../../../ui/table/Rest.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ADMIN_POLLING } from '../adminPolling.ts';
import { useListed } from '../useListed.ts';
import { timeSavedText } from './progressWording.ts';
import { COLUMNS, UserProgressTable } from './UserProgressTable.tsx';
import { type ProgressOrder, useListUserProgressInfiniteQuery } from './usersApi.ts';

const USUAL: ProgressOrder = { sort: 'last_activity', order: 'desc', search: '' };

function orderFrom(address: URLSearchParams): ProgressOrder {
  const asked = COLUMNS.find(({ id, sorts }) => sorts && id === address.get('sort'))?.id;
  return {
    sort: (asked ?? USUAL.sort) as UserProgressSort,
    order: address.get('order') === 'asc' ? 'asc' : 'desc',
    search: address.get('search') ?? '',
  };
}

/** Defaults are omitted. */
function addressOf(order: ProgressOrder): URLSearchParams {
  return new URLSearchParams(
    Object.entries(order).filter(([name, value]) => value !== USUAL[name as keyof ProgressOrder]),
  );
}

/** All users' progress; order and search are kept in the address. */
export function UserProgressList() {
  const [address, setAddress] = useSearchParams();
  const order = orderFrom(address);
  const query = useListUserProgressInfiniteQuery(order, ADMIN_POLLING);
  const show = (change: Partial<ProgressOrder>): void =>
    setAddress(addressOf({ ...order, ...change }), { replace: true });
  const listed = useListed(query, order.search);
  // The server sorts the results of a search by any column if they fit on one page.
  const only = order.search !== '' && listed?.pages[0]?.cursor ? 'email' : undefined;
  const sorted = { by: only ?? order.sort, descending: order.order === 'desc' };
  const nobody = order.search === '' ? 'No users yet.' : `No email address starts with “${order.search}”.`;
  return (
    <div className="space-y-4">
      <SearchForm
        className="max-w-xl"
        label="Email starts with"
        clear="Show all users"
        value={order.search}
        onSearch={(search) => show({ search })}
      />
      <Status>
        {order.search !== '' &&
          listed &&
          `${count(rowsIn(listed).length, 'user')} found${query.hasNextPage ? ', and more' : ''}`}
      </Status>
      <AdminAnswer
        query={{ ...query, data: listed }}
        title="Failed to load the users"
        deniedText="Access denied. Admin privileges required."
        textOf={(status) => `Failed to fetch user progress: ${status || 'no answer'}`}
      >
        {(list) => (
          <>
            {list.pages[0] && <Summary of={list.pages[0].summary} />}
            <div className="panel">
              {rowsIn(list).length === 0 ? (
                <p className="px-4 py-8 text-center text-muted">{nobody}</p>
              ) : (
                <UserProgressTable
                  rows={rowsIn(list)}
                  sorted={sorted}
                  only={only}
                  onSort={(by) =>
                    show({ sort: by as UserProgressSort, order: turned(sorted, by).descending ? 'desc' : 'asc' })
                  }
                />
              )}
              <Rest query={query} />
            </div>
          </>
        )}
      </AdminAnswer>
    </div>
  );
}

function Summary({ of }: { of: UserProgressResponse['summary'] }) {
  return (
    <p className="text-sm text-muted tabular-nums">
      {count(of.users, 'user')} · {count(of.total_actions, 'action item')},{' '}
      {count(of.completed_actions, 'completed', 'completed')} · {timeSavedText(of.time_saved)} saved
    </p>
  );
}

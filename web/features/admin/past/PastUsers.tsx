import { clsx } from 'clsx';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { PastUserView } from '../../../../src/http/contract/admin/pastLists.ts';
import { nameOfTier } from '../../../../src/model/tiers.ts';
import { adminHistoryPath, adminPaths } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { SearchForm } from '../../../ui/form/SearchForm.tsx';
import type { Column } from '../../../ui/table/column.ts';
import { Rest, rowsIn } from '../../../ui/table/Rest.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ListHead } from './ListHead.tsx';
import { atOf } from './momentText.ts';
import { pathOf } from './pastAddress.ts';
import { useListPastUsersInfiniteQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';

interface PastUsersProps {
  at: string;
  search: string;
  onShow: (next: { readonly at?: string; readonly search?: string }) => void;
}

/** All users at a past moment. */
export function PastUsers({ at, search, onShow }: PastUsersProps) {
  const query = useListPastUsersInfiniteQuery({ at, search });
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the users"
        textOf={pastFailure('There are no such users.')}
        above={(data) => (
          <ListHead
            title="All users"
            list="users"
            shown={{ at, moment: data?.pages[0]?.moment }}
            now={adminPaths.users}
            onShow={onShow}
          />
        )}
      >
        {({ pages }) => {
          const [first] = pages;
          if (!first) return null;
          const users = rowsIn({ pages });
          const nobody = query.hasNextPage
            ? 'No match among the newest.'
            : search === ''
              ? 'No users at that time.'
              : 'No matching users at that time.';
          return (
            <>
              <SearchForm
                className="max-w-xl"
                label="Email started with"
                clear="Show all users"
                value={search}
                onSearch={(text) => onShow({ search: text })}
              />
              <div className="panel">
                {users.length === 0 ? (
                  <p className="px-4 py-6 text-center text-muted">{nobody}</p>
                ) : (
                  <UserRows users={users} at={atOf(first.moment)} />
                )}
                <Rest query={query}>
                  {first.erased > 0 &&
                    `${count(first.erased, 'account')} ${first.erased === 1 ? 'has' : 'have'} been deleted since and cannot be listed.`}
                </Rest>
              </div>
            </>
          );
        }}
      </AdminAnswer>
    </div>
  );
}

const LINK = 'underline underline-offset-2 wrap-anywhere pointer-coarse:touch-line';
const FIGURE = { named: true, className: 'text-sm tabular-nums' } as const;

const userColumns = (at: string): readonly Column<PastUserView>[] => [
  {
    id: 'user',
    name: 'User',
    width: 'minmax(0, 1fr)',
    className: 'cards:col-span-full',
    cell: (user) => (
      <Link
        to={pathOf({ view: 'jobs', userId: user.id, status: 'all', search: '', at })}
        className={clsx('font-medium text-strong', LINK)}
      >
        {user.email}
      </Link>
    ),
  },
  {
    id: 'role',
    name: 'Role',
    width: '136px',
    ...FIGURE,
    cell: (user) => (
      <span className="flex flex-wrap gap-1">
        <Badge tone={user.is_admin ? 'good' : 'plain'}>{user.is_admin ? 'Admin' : 'User'}</Badge>
        {!user.sign_in_enabled && <Badge tone="attention">Disabled</Badge>}
      </span>
    ),
  },
  {
    id: 'plan',
    name: 'Plan',
    width: '112px',
    ...FIGURE,
    cell: (user) =>
      user.plan === null ? (
        '–'
      ) : (
        <Link to={adminHistoryPath(`billing-${user.id}`, at)} className={clsx('text-accent', LINK)}>
          {nameOfTier(user.plan)}
        </Link>
      ),
  },
  {
    id: 'jobs',
    name: 'Jobs',
    width: '64px',
    ...FIGURE,
    cell: (user) => (
      <>
        {grouped(user.jobs)}
        {user.more && '+'}
        {user.erased_jobs > 0 && (
          <span className="block text-xs text-muted">{grouped(user.erased_jobs)} deleted since</span>
        )}
      </>
    ),
  },
  {
    id: 'items',
    name: 'Action items',
    width: '136px',
    ...FIGURE,
    cell: (user) => (user.items === 0 ? '–' : `${grouped(user.completed_items)} of ${grouped(user.items)} completed`),
  },
  { id: 'since', name: 'Signed up', width: '176px', ...FIGURE, cell: (user) => exactTime(user.created_at) },
];

const idOf = (user: PastUserView): string => user.id;

function UserRows({ users, at }: { users: readonly PastUserView[]; at: string }) {
  const columns = useMemo(() => userColumns(at), [at]);
  return (
    <Table
      wide
      label="Users at that time"
      columns={columns}
      rows={users}
      idOf={idOf}
      card="cards:grid-cols-2 cards:sm:grid-cols-4"
    />
  );
}

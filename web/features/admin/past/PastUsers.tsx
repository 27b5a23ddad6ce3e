import { clsx } from 'clsx';
import { Link } from 'react-router-dom';
import type { PastUserView } from '../../../../src/http/contract/admin/pastLists.ts';
import { nameOfTier } from '../../../../src/model/tiers.ts';
import { adminHistoryPath, adminPaths } from '../../../ui/adminPaths.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { ROLES } from '../../../ui/tableRoles.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { NamedCell } from '../NamedCell.tsx';
import { PrefixSearch } from '../PrefixSearch.tsx';
import { ListHead, Rest } from './ListHead.tsx';
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
        above={(data) => <ListHead title="All users" list="users" shown={{ at, moment: data?.pages[0]?.moment }} now={adminPaths.users} onShow={onShow} />}
      >
        {({ pages }) => {
          const [first] = pages;
          if (!first) return null;
          const users = pages.flatMap(({ data }) => data);
          const nobody = query.hasNextPage ? 'Nobody among the newest.' : search === '' ? 'No users then.' : 'No such users then.';
          return (
            <>
              <PrefixSearch label="Email began with" clear="Show everybody" value={search} onSearch={(text) => onShow({ search: text })} />
              <div className="rounded-card border border-line bg-card">
                {users.length === 0 ? <p className="px-4 py-6 text-center text-muted">{nobody}</p> : <UserRows users={users} at={atOf(first.moment)} />}
                <Rest query={query}>
                  {first.erased > 0 && `${count(first.erased, 'account')} ${first.erased === 1 ? 'has' : 'have'} been deleted since and cannot be listed.`}
                </Rest>
              </div>
            </>
          );
        }}
      </AdminAnswer>
    </div>
  );
}

const GRID = 'lg:grid lg:grid-cols-[minmax(0,1fr)_136px_112px_64px_136px_176px] lg:gap-3';

/** A table on wide screens, cards on phones. */
function UserRows({ users, at }: { users: readonly PastUserView[]; at: string }) {
  return (
    <table {...ROLES.table} aria-label="Users then" className="block w-full text-left">
      <thead {...ROLES.group} className="hidden lg:block">
        <tr {...ROLES.row} className={clsx('px-4 py-1 text-sm text-muted', GRID)}>
          {['User', 'Role', 'Plan', 'Jobs', 'Action items', 'Signed up'].map((name) => (
            <th key={name} {...ROLES.column} className="font-normal">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.group} className="block">
        {users.map((user) => (
          <UserRow key={user.id} user={user} at={at} />
        ))}
      </tbody>
    </table>
  );
}

const LINK = 'underline underline-offset-2 [overflow-wrap:anywhere] pointer-coarse:inline-flex pointer-coarse:min-h-11 pointer-coarse:items-center';

function UserRow({ user, at }: { user: PastUserView; at: string }) {
  const jobs = `${grouped(user.jobs)}${user.more ? '+' : ''}`;
  return (
    <tr {...ROLES.row} className={clsx('grid grid-cols-2 gap-x-4 gap-y-1 border-t border-line px-4 py-2 sm:grid-cols-4 lg:items-center', GRID)}>
      <td {...ROLES.cell} className="min-w-0 max-lg:col-span-full">
        <Link to={pathOf({ view: 'jobs', userId: user.id, status: 'all', search: '', at })} className={clsx('font-medium text-strong', LINK)}>
          {user.email}
        </Link>
      </td>
      <NamedCell name="Role">
        <span className="flex flex-wrap gap-1">
          <Badge tone={user.is_admin ? 'good' : 'plain'}>{user.is_admin ? 'Admin' : 'User'}</Badge>
          {!user.sign_in_enabled && <Badge tone="attention">Disabled</Badge>}
        </span>
      </NamedCell>
      <NamedCell name="Plan">
        {user.plan === null ? (
          '–'
        ) : (
          <Link to={adminHistoryPath(`billing-${user.id}`, at)} className={clsx('text-accent', LINK)}>
            {nameOfTier(user.plan)}
          </Link>
        )}
      </NamedCell>
      <NamedCell name="Jobs">
        {jobs}
        {user.erased_jobs > 0 && <span className="block text-xs text-muted">{grouped(user.erased_jobs)} deleted since</span>}
      </NamedCell>
      <NamedCell name="Action items">{user.items === 0 ? '–' : `${grouped(user.completed_items)} of ${grouped(user.items)} completed`}</NamedCell>
      <NamedCell name="Signed up">{exactTime(user.created_at)}</NamedCell>
    </tr>
  );
}

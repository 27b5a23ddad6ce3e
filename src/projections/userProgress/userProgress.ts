/**
 * Users' progress on their action items, for admins: one row per user and site, and totals over all users. Events that
 * move an item name only its job, so rows and totals are sums of the jobs' items. Email addresses are in one document per
 * user, and joined: a new one would otherwise change all rows of the user.
 */
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { each, projection } from '../projection.ts';
import {
  type Counts,
  jobKey,
  type Progress,
  TOTALS_ID,
  type Totals,
  type User,
  type UserProgressDocument,
  userKey,
} from './documents.ts';
import { evolveItems, OF_ITEMS } from './jobItems.ts';
import { evolveSum, foundActivity, lostActivity, sumsOf } from './sums.ts';

export const PROGRESS_SORTS = [
  'email',
  'domain',
  'totalActions',
  'completionPercentage',
  'timeSaved',
  'lastActivity',
] as const;
export type ProgressSort = (typeof PROGRESS_SORTS)[number];

export const userProgress = projection<UserProgressDocument>()({
  name: 'userProgress',
  version: 4,
  shape: 2,
  indexes: [
    ...PROGRESS_SORTS.map((field) => ['kind', field]),
    ['kind', 'userId', 'domain'],
    ['kind', 'userId', 'activeAt'],
    ['kind', 'siteId', 'activeAt'],
  ],
  isBulky: true,
  keys: (event) => {
    switch (event.type) {
      case 'AccountRegistered':
      case 'AccountEmailChanged':
      case 'AccountDeleted':
      case 'EmailRefused':
        return [userKey(event.data.userId)];
      case 'JobsDeleted':
        return event.data.jobIds.map(jobKey);
      default:
        return [jobKey(event.data.jobId)];
    }
  },
  on: {
    ...each(OF_ITEMS, (document: UserProgressDocument | null, event) =>
      evolveItems(document?.kind === 'job' ? document : null, event),
    ),
    AccountRegistered: (_, { data: { userId, email } }) => ({ kind: 'user', userId, email }),
    AccountEmailChanged: (user, { data }) => (user?.kind === 'user' ? { ...user, email: data.email } : user),
    AccountDeleted: () => null,
    EmailRefused: () => null,
  },
  sums: { of: sumsOf, evolve: evolveSum, lost: lostActivity, found: foundActivity },
});

/** Sorts after every character of an address. */
const LAST = '\u{10ffff}';

export type ProgressQuery = {
  readonly sort: ProgressSort;
  readonly order: 'asc' | 'desc';
  /**
   * Prefix of the addresses. Matches that do not fit on one page are sorted by address, regardless of `sort`: an index
   * serves one order for a range.
   */
  readonly search?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** A row, with the address of its user. */
export type ProgressRow = Pick<
  Progress,
  | 'userId'
  | 'domain'
  | 'totalActions'
  | 'completedActions'
  | 'inProgressActions'
  | 'completionPercentage'
  | 'timeSaved'
  | 'lastActivity'
> & { readonly email: string };

export async function listUserProgress(readModels: ReadModels, query: ProgressQuery): Promise<Page<ProgressRow>> {
  const { sort, order, search, cursor } = query;
  if (!search && sort !== 'email') return listSorted(readModels, { ...query, sort });
  const page = await listByEmail(readModels, query);
  return search && cursor === undefined && page.cursor === null
    ? { ...page, documents: inOrder(page.documents, sort, order) }
    : page;
}

async function listSorted(
  readModels: ReadModels,
  { sort, order, limit, cursor }: ProgressQuery,
): Promise<Page<ProgressRow>> {
  const page = await readModels.find<Progress>('userProgress', {
    where: { kind: 'row' },
    sort: [[sort, order]],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const users = await readModels.getMany<User>('userProgress', [
    ...new Set(page.documents.map(({ data }) => userKey(data.userId))),
  ]);
  const emails = new Map(users.map(({ data }) => [data.userId, data.email]));
  // The audits of a deleted user are still being erased.
  const documents = page.documents.flatMap((row) => {
    const email = emails.get(row.data.userId);
    return email === undefined ? [] : [withEmail(row, email)];
  });
  return { documents, cursor: page.cursor };
}

const withEmail = (row: StoredDocument<Progress>, email: string): StoredDocument<ProgressRow> => ({
  ...row,
  data: { ...row.data, email },
});

/** Users whose rows are read at the same time. */
const USERS_AT_ONCE = 20;

/** The users in their order, each with all rows. A cursor is the place among the users, and the place in the next one. */
async function listByEmail(
  readModels: ReadModels,
  { order, search, limit, cursor }: ProgressQuery,
): Promise<Page<ProgressRow>> {
  const [usersAfter, rowsAfter] = cursor === undefined ? [] : placesIn(cursor);
  const listUsers = (most: number): Promise<Page<User>> =>
    readModels.find<User>('userProgress', {
      where: { kind: 'user', ...(search ? { email: { gte: search, lt: `${search}${LAST}` } } : {}) },
      sort: [['email', order]],
      limit: most,
      ...(usersAfter === undefined ? {} : { cursor: usersAfter }),
    });
  const users = await listUsers(limit);
  const rowsOf = (nth: number, most: number): Promise<Page<Progress>> =>
    readModels.find<Progress>('userProgress', {
      where: { kind: 'row', userId: users.documents[nth]?.data.userId ?? '' },
      sort: [['domain', order]],
      limit: most,
      ...(nth > 0 || rowsAfter === undefined ? {} : { cursor: rowsAfter }),
    });
  const documents: StoredDocument<ProgressRow>[] = [];
  let done = 0;
  let within: string | null = null;
  while (done < users.documents.length && documents.length < limit && within === null) {
    const first = done;
    const some = users.documents.slice(first, first + USERS_AT_ONCE);
    const pages = await Promise.all(some.map((_, nth) => rowsOf(first + nth, limit)));
    for (const [nth, all] of pages.entries()) {
      const room = limit - documents.length;
      if (room === 0 || within !== null) break;
      const page = all.documents.length > room ? await rowsOf(first + nth, room) : all;
      documents.push(...page.documents.map((row) => withEmail(row, some[nth]?.data.email ?? '')));
      within = page.cursor;
      if (within === null) done += 1;
    }
  }
  if (done === users.documents.length) return { documents, cursor: users.cursor === null ? null : `${users.cursor}.` };
  const before = done === 0 ? usersAfter : (await listUsers(done)).cursor;
  return { documents, cursor: `${before ?? ''}.${within ?? ''}` };
}

/** Either is missing at its start. Only what this cursor's query has written is accepted by the store. */
function placesIn(cursor: string): readonly [users?: string | undefined, rows?: string | undefined] {
  const dot = cursor.indexOf('.');
  if (dot === -1) return [cursor];
  const [users, rows] = [cursor.slice(0, dot), cursor.slice(dot + 1)];
  return [users === '' ? undefined : users, rows === '' ? undefined : rows];
}

/** As the store sorts: null first, ties by id in the same direction. */
function inOrder(
  rows: readonly StoredDocument<ProgressRow>[],
  sort: ProgressSort,
  order: 'asc' | 'desc',
): readonly StoredDocument<ProgressRow>[] {
  const ascending = [...rows].sort(
    (one, other) => compared(one.data[sort], other.data[sort]) || compared(one.id, other.id),
  );
  return order === 'asc' ? ascending : ascending.reverse();
}

function compared(one: string | number | null, other: string | number | null): number {
  if (one === other) return 0;
  return one === null || (other !== null && one < other) ? -1 : 1;
}

/** Totals over all users. */
export async function getProgressTotals(readModels: ReadModels): Promise<Counts & { readonly users: number }> {
  const totals = await readModels.get<Totals>('userProgress', TOTALS_ID);
  const { users = 0, total = 0, completed = 0, inProgress = 0, minutes = 0 } = totals?.data ?? {};
  return { users, total, completed, inProgress, minutes };
}

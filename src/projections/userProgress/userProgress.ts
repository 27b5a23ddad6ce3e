/**
 * Users' progress on their action items, for admins: one row per user and domain, and overall totals. Events that move
 * an item name only its job, so the numbers propagate between documents: job → shard of the user's jobs → user → rows,
 * and user → part of the totals → totals.
 */
import type { Page, ReadModels, StoredDocument } from '../../readModels/readModels.ts';
import { each, projection } from '../projection.ts';
import {
  type Counts,
  jobKey,
  type ProgressRow,
  partKey,
  rowKey,
  type Shard,
  shardKey,
  TOTALS_ID,
  type Totals,
  type UserProgressDocument,
  userKey,
} from './documents.ts';
import { countsOf, evolveItems, type JobItemsEvent, OF_ITEMS } from './jobItems.ts';
import { domainsOf, evolvePart, evolveTotals, evolveUser, rowOf, totalOf } from './sums.ts';

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
  version: 2,
  indexes: [...PROGRESS_SORTS.map((field) => ['kind', field]), ['kind', 'userId']],
  isBulky: true,
  keys: (event) => {
    switch (event.type) {
      case 'AccountRegistered':
      case 'AccountEmailChanged':
      case 'AccountDeleted':
      case 'EmailRefused':
        return [userKey(event.data.userId)];
      case 'JobDeleted':
        return [jobKey(event.data.jobId), shardKey(event.data.userId, event.data.jobId)];
      case 'JobsDeleted':
        return event.data.jobIds.flatMap((jobId) => [jobKey(jobId), shardKey(event.data.userId, jobId)]);
      default:
        return [jobKey(event.data.jobId)];
    }
  },
  on: {
    ...each(OF_ITEMS, (document: UserProgressDocument | null, event, key) => {
      if (document?.kind === 'shard') return withoutJobs(document, event);
      return key.startsWith('job:') ? evolveItems(document?.kind === 'job' ? document : null, event) : document;
    }),
    AccountRegistered: (_, { data: { userId, email } }) => ({ kind: 'user', userId, email, shards: {} }),
    AccountEmailChanged: (document, { data }) => document && { ...document, email: data.email },
    AccountDeleted: () => null,
    EmailRefused: () => null,
  },
  takingUp: {
    keys: (id, document) => {
      if (document?.kind === 'job') return [shardKey(document.userId, document.jobId)];
      if (id.startsWith('shard:')) return [userKey(userOfShard(id))];
      if (id.startsWith('part:')) return [TOTALS_ID];
      const userId = userIdOf(id);
      if (userId === null) return [];
      const domains = document?.kind === 'user' ? domainsOf(document) : [];
      return [...domains.map((_, nth) => rowKey(userId, nth)), partKey(userId)];
    },
    evolve: takenUp,
    left: (id) => {
      const userId = userIdOf(id);
      return userId === null ? null : { kind: 'row', userId };
    },
  },
});

const userIdOf = (id: string): string | null => (id.startsWith(userKey('')) ? id.slice(userKey('').length) : null);

/** The user in an id like `shard:{userId}:{number}`. */
const userOfShard = (id: string): string => id.slice('shard:'.length, id.lastIndexOf(':'));

function withoutJobs(shard: Shard, event: JobItemsEvent): Shard | null {
  const gone = event.type === 'JobsDeleted' ? event.data.jobIds : [event.data.jobId];
  return shardOf(
    shard.userId,
    Object.fromEntries(Object.entries(shard.jobs).filter(([jobId]) => !gone.includes(jobId))),
  );
}

/** Null without jobs. */
const shardOf = (userId: string, jobs: Shard['jobs']): Shard | null =>
  Object.keys(jobs).length === 0 ? null : { kind: 'shard', userId, jobs };

function takenUp(
  document: UserProgressDocument | null,
  source: UserProgressDocument | null,
  id: string,
  key: string,
): UserProgressDocument | null {
  const name = id.slice(id.indexOf(':') + 1);
  if (key.startsWith('shard:')) {
    const jobs: Shard['jobs'] = document?.kind === 'shard' ? document.jobs : {};
    const { [name]: _, ...others } = jobs;
    return shardOf(userOfShard(key), source?.kind === 'job' ? { ...others, [name]: countsOf(source) } : others);
  }
  if (key.startsWith('user:'))
    return document?.kind === 'user'
      ? evolveUser(document, id.slice(id.lastIndexOf(':') + 1), source?.kind === 'shard' ? source : null)
      : null;
  const user = source?.kind === 'user' ? source : null;
  if (key.startsWith('row:')) return user && rowOf(user, Number(key.slice(rowKey(name, '').length)));
  if (key === TOTALS_ID)
    return evolveTotals(document?.kind === 'totals' ? document : null, id, source?.kind === 'part' ? source : null);
  return evolvePart(document?.kind === 'part' ? document : null, name, user);
}

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

export async function listUserProgress(
  readModels: ReadModels,
  { sort, order, search, limit, cursor }: ProgressQuery,
): Promise<Page<ProgressRow>> {
  const page = await readModels.find<ProgressRow>('userProgress', {
    where: { kind: 'row', ...(search ? { email: { gte: search, lt: `${search}${LAST}` } } : {}) },
    sort: [[search ? 'email' : sort, order]],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
  return search && cursor === undefined && page.cursor === null
    ? { ...page, documents: inOrder(page.documents, sort, order) }
    : page;
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
  return totalOf((await readModels.get<Totals>('userProgress', TOTALS_ID))?.data ?? null);
}

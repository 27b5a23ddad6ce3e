/**
 * The past list of users, newest first, each folded from their account, their bill and the streams of their newest
 * jobs.
 */

import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { type AccountDocument, accounts } from '../../projections/accounts.ts';
import { type BillingDocument, getBilling } from '../../projections/billing.ts';
import { type BoardDocument, boards } from '../../projections/boards.ts';
import type { StoredDocument } from '../../readModels/readModels.ts';
import { jobThen, reservations } from './jobLists.ts';
import type { Moment } from './moment.ts';
import { type ListDeps, type PageQuery, type PageThen, pageThen } from './pages.ts';
import { openPast, type Past } from './past.ts';

export type UserThen = {
  readonly account: AccountDocument;
  readonly bill: StoredDocument<BillingDocument> | null;
  readonly jobs: number;
  /** Jobs that have been deleted since. */
  readonly erasedJobs: number;
  readonly items: number;
  readonly completedItems: number;
  /** They had older jobs, which are not counted. */
  readonly more: boolean;
};

/** Number of a user's newest jobs that are counted. */
export const JOBS_OF_USER = 50;

/** `email`: the beginning of the address that they had then. */
export function usersThen(
  deps: ListDeps,
  { email = '', ...query }: PageQuery & { readonly email?: string | undefined },
): Promise<PageThen<UserThen>> {
  const { store, moment, signal } = deps;
  const past = openPast({ store, position: moment.position, signal });
  return pageThen(deps, 'AccountRegistered', query, async ({ data: { userId } }) => {
    const account = await past.documentAsOf<AccountDocument>(accounts.name, userId);
    // An account that is being deleted: the log does not name those that have been erased.
    if (account.status !== 'there' || !account.document.data.email.startsWith(email)) return null;
    const [bill, counted] = await Promise.all([getBilling(past, userId), countedOf(deps, past, userId)]);
    return { account: account.document.data, bill, ...counted };
  });
}

type Counted = Omit<UserThen, 'account' | 'bill'>;

async function countedOf({ store, moment, signal }: ListDeps, past: Past, userId: string): Promise<Counted> {
  const jobIds: string[] = [];
  for await (const { position, data } of reservations(store, userId, undefined, signal)) {
    if (position > moment.position) continue;
    jobIds.push(data.jobId);
    if (jobIds.length > JOBS_OF_USER) break;
  }
  const counted = jobIds.slice(0, JOBS_OF_USER);
  const rows = await Promise.all(counted.map((jobId) => jobThen(past, jobId)));
  const plans = await past.getMany<BoardDocument>(boards.name, counted);
  const items = plans.flatMap(({ data }) => data.items);
  return {
    jobs: rows.filter((row) => row !== null && row !== 'erased').length,
    erasedJobs: rows.filter((row) => row === 'erased').length,
    items: items.length,
    completedItems: items.filter(({ status }) => status === 'completed').length,
    more: jobIds.length > JOBS_OF_USER,
  };
}

const PAGE = 1_000;

/**
 * How many accounts have been deleted after a moment. Their log is erased, so it is unknown which of them existed then.
 */
export async function accountsDeletedSince(
  store: Pick<EventStore, 'readAll'>,
  { position }: Moment,
  signal: AbortSignal,
): Promise<number> {
  const deleted = new Set<string>();
  const pace = createPace('request');
  for (let after = position; ; ) {
    signal.throwIfAborted();
    const page = await store.readAll({ after, limit: PAGE, filter: { types: ['AccountDeleted'] } });
    for (const { data } of eventsOf(page.events, 'AccountDeleted')) deleted.add(data.userId);
    if (page.end) return deleted.size;
    after = page.next;
    await pace.pass();
  }
}

/** Changes between two points in time. */
import type { RecordedEvent } from '../../../../eventStore/eventStore.ts';
import { changesOf } from '../../../../history/past/changeList.ts';
import { countAll, countOf } from '../../../../history/past/changes.ts';
import type { Moment } from '../../../../history/past/moment.ts';
import { openPast } from '../../../../history/past/past.ts';
import { TYPES_OF_CHANGE } from '../../../../model/history/changeKinds.ts';
import { type AccountDocument, accounts, listAccountsById } from '../../../../projections/accounts.ts';
import { getBilling } from '../../../../projections/billing.ts';
import { listJobsById } from '../../../../projections/jobs.ts';
import type { SequenceDocument } from '../../../../projections/sequences/sequences.ts';
import { recordView } from '../../../auth/administering.ts';
import {
  ChangeListQuery,
  ChangeListResponse,
  ChangesQuery,
  ChangesResponse,
  UserChangesQuery,
  UserChangesResponse,
} from '../../../contract/admin/past.ts';
import type { HttpDeps } from '../../../deps/deps.ts';
import { type Names, namedIn, presentChange } from '../../../present/admin/changeList.ts';
import {
  differencesOf,
  type FoundMoment,
  factsOfAccount,
  factsOfBill,
  presentCounted,
  presentMoment,
} from '../../../present/admin/past.ts';
import { route } from '../../../routing/route.ts';
import { UserParams } from '../users.ts';
import { checked, fromCursor, POSITION } from './cursors.ts';
import { beginningOrMomentAt, momentAt } from './moments.ts';
import { recordBillView } from './things.ts';

const PAGE = 20;
const DAY_MS = 24 * 60 * 60 * 1_000;

export const getChanges = route({
  method: 'GET',
  path: '/admin/history/past/changes',
  access: 'admin',
  readsLong: true,
  summary:
    'Count what happened in the whole installation between two points in time: events by type, and money in and out; one part per request',
  query: ChangesQuery,
  response: ChangesResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const between = await momentsOf(deps, query, signal);
    const { next, reached, ...counted } = await fromCursor(() =>
      countAll(deps.store, between, query.after ?? null, signal),
    );
    return { success: true as const, ...presentBetween(between), ...presentCounted(counted), next, reached };
  },
});

export const getChangeList = route({
  method: 'GET',
  path: '/admin/history/past/change-list',
  access: 'admin',
  readsLong: true,
  summary:
    'List what was changed between two points in time in the whole installation, of one kind, newest first, with its place in the history',
  query: ChangeListQuery,
  response: ChangeListResponse,
  refusals: ['INVALID_CURSOR', 'NOTHING_YET'],
  handler: async ({ deps, query, signal }) => {
    const { kind = 'users', limit = PAGE } = query;
    const between = await momentsOf(deps, query, signal);
    const requested = { types: TYPES_OF_CHANGE[kind], limit, cursor: checked(query.cursor, POSITION) };
    const { events, cursor } = await fromCursor(() => changesOf(deps.store, between, requested, signal));
    const names = await namesOf(deps, events);
    return { success: true as const, data: events.map((event) => presentChange(event, names)), cursor };
  },
});

/** Of what exists now: what has been deleted has no name. */
async function namesOf({ readModels }: HttpDeps, events: readonly RecordedEvent[]): Promise<Names> {
  const named = namedIn(events);
  const [accountRows, jobs, sequences] = await Promise.all([
    listAccountsById(readModels, named.users),
    listJobsById(readModels, named.jobs),
    readModels.getMany<SequenceDocument>('sequences', named.sequences),
  ]);
  return {
    emails: new Map(accountRows.map(({ id, data }) => [id, data.email])),
    hosts: new Map(jobs.map(({ id, data }) => [id, data.host])),
    sequences: new Map(sequences.map(({ id, data }) => [id, data.name])),
  };
}

export const getUserChanges = route({
  method: 'GET',
  path: '/admin/history/past/changes/{userId}',
  access: 'admin',
  readsLong: true,
  summary:
    'Get what happened to a user, or only to their bill, between two points in time, and what changed. The view is recorded',
  params: UserParams,
  query: UserChangesQuery,
  response: UserChangesResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, params, query, signal } = request;
    const { userId } = params;
    const { of = 'user' } = query;
    const email = await recordBillView(request, userId);
    if (of === 'user') await recordView(request, { ownerId: userId, thing: 'account', thingId: userId });
    const between = await momentsOf(deps, query, signal);
    const [counted, before, after] = await Promise.all([
      countOf(deps.store, { userId, of }, between, signal),
      factsOf(deps, userId, of, between.from, signal),
      factsOf(deps, userId, of, between.to, signal),
    ]);
    return {
      success: true as const,
      ...presentBetween(between),
      ...presentCounted(counted),
      jobs: counted.jobs,
      email,
      differences: differencesOf(before, after),
    };
  },
});

type Between = { readonly from: FoundMoment; readonly to: FoundMoment };
type RequestedRange = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Sorted by time, however they were requested. */
async function momentsOf(deps: HttpDeps, { from, to }: RequestedRange, signal: AbortSignal): Promise<Between> {
  const last = await momentAt(deps, to, signal);
  const first = await beginningOrMomentAt(deps, from ?? new Date(Date.parse(last.time) - DAY_MS).toISOString(), signal);
  return first.position <= last.position ? { from: first, to: last } : { from: last, to: first };
}

const presentBetween = ({ from, to }: Between) => ({ from: presentMoment(from), to: presentMoment(to) });

async function factsOf(
  deps: HttpDeps,
  userId: string,
  of: 'user' | 'bill',
  { position, time }: Moment,
  signal: AbortSignal,
) {
  const past = openPast({ store: deps.store, position, signal });
  const [account, bill] = [
    of === 'user' ? await past.get<AccountDocument>(accounts.name, userId) : null,
    await getBilling(past, userId),
  ];
  return { ...factsOfAccount(account?.data ?? null), ...factsOfBill(bill, time, deps.config) };
}

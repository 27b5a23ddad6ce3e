/** Shared by the routes of the past: the requested moment, and a job as of then. */
import { jobStream } from '../../../../domain/job/events.ts';
import { type Position, type RecordedEvent, START } from '../../../../eventStore/eventStore.ts';
import { momentOf, type RequestedMoment } from '../../../../history/past/moment.ts';
import { type AsOf, openPast, type Past } from '../../../../history/past/past.ts';
import { listAccountsById } from '../../../../projections/accounts.ts';
import { type JobDocument, jobs } from '../../../../projections/jobs.ts';
import { recordView } from '../../../auth/administering.ts';
import type { ErasedView } from '../../../contract/admin/past.ts';
import type { HttpDeps } from '../../../deps/deps.ts';
import { adminsIn, type FoundMoment, presentErased } from '../../../present/admin/past.ts';
import { HttpError, jobNotFound } from '../../../request/errors.ts';
import type { RouteRequest } from '../../../routing/route.ts';

type Deps = Pick<HttpDeps, 'store' | 'readModels'>;
type Clock = Pick<HttpDeps, 'now'>;

/** `at`: a position or a UTC time; absent: now. A future moment also means now. @throws HttpError NOTHING_YET */
export async function momentAt(deps: Deps & Clock, at: string | undefined, signal: AbortSignal): Promise<FoundMoment> {
  const wanted = requestedMoment(deps, at, await deps.store.head());
  const moment = await momentOf(deps, wanted, signal);
  if (!moment) throw new HttpError('NOTHING_YET', 'Nothing had happened yet at that time.');
  return { ...moment, requested: timeOf(wanted) };
}

/** Like `momentAt`, but returns the start of the log if nothing had happened yet. */
export async function beginningOrMomentAt(deps: Deps & Clock, at: string, signal: AbortSignal): Promise<FoundMoment> {
  const wanted = requestedMoment(deps, at, await deps.store.head());
  const requested = timeOf(wanted);
  const moment = (await momentOf(deps, wanted, signal)) ?? {
    position: START,
    time: requested ?? new Date(0).toISOString(),
    next: START,
  };
  return { ...moment, requested };
}

function requestedMoment({ now }: Clock, at: string | undefined, head: Position): RequestedMoment {
  if (at === undefined) return { position: head };
  if (at.includes('T'))
    return Date.parse(at) > Date.parse(now()) ? { position: head } : { time: new Date(at).toISOString() };
  const position = at.padStart(head.length, '0');
  return { position: position < head ? position : head };
}

const timeOf = (moment: RequestedMoment): string | null => ('time' in moment ? moment.time : null);

type JobRequest = Pick<
  RouteRequest<{ readonly jobId: string }, { readonly at?: string | undefined }, unknown, 'admin'>,
  'deps' | 'caller' | 'command' | 'params'
> & {
  readonly query: { readonly at?: string | undefined };
  readonly signal: AbortSignal;
};

export type JobThen = {
  readonly ownerId: string;
  readonly moment: FoundMoment;
  readonly past: Past;
  readonly job: AsOf<JobDocument>;
};

/** Records the view before anything is shown. @throws HttpError JOB_NOT_FOUND, NOTHING_YET */
export async function jobThen(request: JobRequest, thing: 'job' | 'report'): Promise<JobThen> {
  const { deps, params, query, signal } = request;
  const ownerId = await recordJobView(request, thing);
  const moment = await momentAt(deps, query.at, signal);
  const past = openPast({ store: deps.store, position: moment.position, signal });
  return { ownerId, moment, past, job: await past.documentAsOf<JobDocument>(jobs.name, params.jobId) };
}

/** The current or former owner: even for a deleted job, its stream names them. @throws HttpError JOB_NOT_FOUND */
export async function recordJobView(
  request: Omit<JobRequest, 'query' | 'signal'>,
  thing: 'job' | 'report',
): Promise<string> {
  const { jobId } = request.params;
  const read = await request.deps.store.read(jobStream(jobId), { limit: 1 });
  const { userId } = { ...(read.status === 'found' ? read.events[0]?.data : null) } as { readonly userId?: unknown };
  if (typeof userId !== 'string') throw jobNotFound();
  await recordView(request, { ownerId: userId, thing, thingId: jobId });
  return userId;
}

/** Null if it was not erased. */
export async function erasedView(deps: Deps, then: AsOf): Promise<ErasedView | null> {
  return then.status === 'erased' ? presentErased(then, await adminEmails(deps, then.by ? [then.by] : [])) : null;
}

/** Emails of the admins who caused these events. */
export async function adminEmails(
  { readModels }: Pick<Deps, 'readModels'>,
  events: readonly RecordedEvent[],
): Promise<ReadonlyMap<string, string>> {
  const ids = adminsIn(events);
  return new Map(
    ids.length === 0 ? [] : (await listAccountsById(readModels, ids)).map(({ id, data }) => [id, data.email]),
  );
}

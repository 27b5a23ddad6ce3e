/** One thing as of a moment: folded from its own streams, and shown by the presenters of today's screens. */
import { isOwn } from '../../../../commands/isOwn.ts';
import { billingDecider } from '../../../../domain/billing/decide.ts';
import { type BillingEvent, billingStream } from '../../../../domain/billing/events.ts';
import type { Recorded, RecordedEvent } from '../../../../eventStore/eventStore.ts';
import { openPast } from '../../../../history/past/past.ts';
import { type Step, stepsOfBill, stepsOfJob } from '../../../../history/past/steps.ts';
import { eventsFrom } from '../../../../history/readHistory.ts';
import { descending } from '../../../../model/order.ts';
import { getAccount } from '../../../../projections/accounts.ts';
import { getBilling, type OfBilling } from '../../../../projections/billing.ts';
import { getBoard } from '../../../../projections/boards.ts';
import { type JobDocument, showsFiles } from '../../../../projections/jobs.ts';
import { getShares } from '../../../../projections/shares.ts';
import { recordView } from '../../../auth/administering.ts';
import {
  PastBillResponse,
  PastFileResponse,
  PastJobResponse,
  PastQuery,
  PastReportResponse,
  PastSharesResponse,
  StepsResponse,
} from '../../../contract/admin/past.ts';
import { presentTransactions } from '../../../money/transactions.ts';
import { presentAction, visibleItems } from '../../../present/action.ts';
import { presentAdminJob } from '../../../present/admin/job.ts';
import { presentMoment, presentStep } from '../../../present/admin/past.ts';
import { presentAdminShares } from '../../../present/admin/user.ts';
import { presentSubscription } from '../../../present/billing.ts';
import { listCauses } from '../../../reports/listFindings.ts';
import { openFile } from '../../../reports/openFile.ts';
import { openReport } from '../../../reports/openReport.ts';
import { HttpError } from '../../../request/errors.ts';
import { type RouteRequest, route } from '../../../routing/route.ts';
import { FileParams } from '../../files.ts';
import { JobParams } from '../../jobs.ts';
import { paidIn, sharesOf } from '../jobFacts.ts';
import { UserParams } from '../users.ts';
import { adminEmails, erasedView, type JobThen, jobThen, momentAt, recordJobView } from './moments.ts';

const SHOWN = 100;

/** Common part of all responses about a past job. */
async function answered(deps: RouteRequest['deps'], { moment, job }: JobThen) {
  return { success: true as const, moment: presentMoment(moment), erased: await erasedView(deps, job) };
}

export const getPastJob = route({
  method: 'GET',
  path: '/admin/history/past/jobs/{jobId}',
  access: 'admin',
  readsLong: true,
  summary: 'Get one job as it was at a given point in time. The view is recorded',
  params: JobParams,
  query: PastQuery,
  response: PastJobResponse,
  refusals: ['JOB_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, caller } = request;
    const then = await jobThen(request, 'job');
    const { ownerId, moment, past, job } = then;
    if (job.status !== 'there') return { ...(await answered(deps, then)), data: null };
    const { document, parked } = job;
    const [owner, bill, shares] = await Promise.all([
      getAccount(deps.readModels, ownerId),
      billThen(deps.store, ownerId, moment.position),
      sharesOf(past, document.id),
    ]);
    const { email = null, name = null } = owner?.data ?? {};
    const data = {
      // Estimates are as of then, too.
      job: presentAdminJob(document, owner?.data ?? null, moment.time),
      own: caller.userId === ownerId,
      owner: { id: ownerId, email, name },
      paid: paidIn(bill, document.id),
      shares,
      report: showsFiles(document.data) && document.data.files.length > 0,
      parked: parked !== null,
    };
    return { ...(await answered(deps, then)), data };
  },
});

/** Read from the bill itself, as of then. */
async function billThen(store: RouteRequest['deps']['store'], userId: string, position: string) {
  const bill = { store, stream: billingStream(userId), kind: { isBulky: false } };
  let state = billingDecider.initialState();
  for await (const event of eventsFrom(bill, 0n)) {
    if (event.position > position) break;
    if (isOwn<Recorded<BillingEvent>, RecordedEvent>(event)) state = billingDecider.evolve(state, event);
  }
  return state;
}

export const getPastReport = route({
  method: 'GET',
  path: '/admin/history/past/jobs/{jobId}/report',
  access: 'admin',
  readsLong: true,
  summary: 'Get a job’s findings and action items as its owner saw them at a given point in time. The view is recorded',
  params: JobParams,
  query: PastQuery,
  response: PastReportResponse,
  refusals: ['JOB_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps } = request;
    const then = await jobThen(request, 'report');
    const { past, job } = then;
    const shown = job.status === 'there' && showsFiles(job.document.data) ? job.document.data : null;
    return {
      ...(await answered(deps, then)),
      data: shown && (await reportThen({ readModels: past, reports: deps.reports }, shown)),
    };
  },
});

async function reportThen(
  deps: Parameters<typeof openReport>[0],
  job: JobDocument,
): Promise<NonNullable<PastReportResponse['data']>> {
  const [report, board] = [await openReport(deps, job), (await getBoard(deps.readModels, job.jobId))?.data ?? null];
  const items = board ? visibleItems(board, job.access) : [];
  return {
    files: [...job.files],
    found: report && (await listCauses(report, {}, items)),
    items: items.map((item) => presentAction(job.jobId, item)),
    items_by: board?.by ?? null,
  };
}

export const getPastFile = route({
  method: 'GET',
  path: '/admin/history/past/jobs/{jobId}/files/{fileName}',
  access: 'admin',
  readsLong: true,
  summary: 'Get the text of one of a job’s files as its owner saw it at a given point in time. The view is recorded',
  params: FileParams,
  query: PastQuery,
  response: PastFileResponse,
  refusals: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, params } = request;
    const then = await jobThen(request, 'report');
    const { past, job } = then;
    const data =
      job.status === 'there'
        ? await openFile({ readModels: past, reports: deps.reports }, job.document.data, params.fileName)
        : null;
    return { ...(await answered(deps, then)), data };
  },
});

export const getPastShares = route({
  method: 'GET',
  path: '/admin/history/past/jobs/{jobId}/shares',
  access: 'admin',
  readsLong: true,
  summary: 'List a job’s shared links as they were at a given point in time, newest first. The view is recorded',
  params: JobParams,
  query: PastQuery,
  response: PastSharesResponse,
  refusals: ['JOB_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const then = await jobThen(request, 'job');
    const { past, job } = then;
    const shares = job.status === 'there' ? await getShares(past, job.document.id) : null;
    return {
      ...(await answered(request.deps, then)),
      data: job.status === 'there' ? presentAdminShares(shares ? [shares.data] : [], SHOWN) : null,
    };
  },
});

export const getPastBill = route({
  method: 'GET',
  path: '/admin/history/past/bills/{userId}',
  access: 'admin',
  readsLong: true,
  summary:
    'Get a user’s plan, balance and payments as they were at a given point in time, also for a deleted account. The view is recorded',
  params: UserParams,
  query: PastQuery,
  response: PastBillResponse,
  refusals: ['ACCOUNT_NOT_FOUND', 'NOTHING_YET'],
  handler: async (request) => {
    const { deps, params, query, signal } = request;
    const email = await recordBillView(request, params.userId);
    const moment = await momentAt(deps, query.at, signal);
    const past = openPast({ store: deps.store, position: moment.position, signal });
    const [bill, documents] = await Promise.all([
      getBilling(past, params.userId),
      past.documentsOf<OfBilling>('billing', [billingStream(params.userId)]),
    ]);
    const rows = documents.flatMap(({ data }) => (data.kind === 'change' ? [data] : []));
    const newest = rows.toSorted((a, b) => descending(a.order, b.order)).slice(0, SHOWN);
    return {
      success: true as const,
      moment: presentMoment(moment),
      data: {
        email,
        billing: presentSubscription(bill, moment.time, deps.config),
        history: await presentTransactions(deps.store, params.userId, newest),
        more: rows.length > SHOWN,
      },
    };
  },
});

/**
 * Records the view and returns the owner's email; null if the account was deleted, which the bill outlives.
 * @throws HttpError ACCOUNT_NOT_FOUND
 */
export async function recordBillView(
  request: Pick<RouteRequest<unknown, unknown, unknown, 'admin'>, 'deps' | 'caller' | 'command'>,
  userId: string,
): Promise<string | null> {
  const { store, readModels } = request.deps;
  const account = await getAccount(readModels, userId);
  if (!account && (await store.read(billingStream(userId), { limit: 1 })).status !== 'found')
    throw new HttpError('ACCOUNT_NOT_FOUND', 'Account not found');
  await recordView(request, { ownerId: userId, thing: 'bill', thingId: userId });
  return account?.data.email ?? null;
}

export const getJobSteps = route({
  method: 'GET',
  path: '/admin/history/past/jobs/{jobId}/steps',
  access: 'admin',
  readsLong: true,
  summary: 'List the moments in a job’s life, from its submission; none for a deleted job. The view is recorded',
  params: JobParams,
  response: StepsResponse,
  refusals: ['JOB_NOT_FOUND'],
  handler: async (request) => {
    const { deps, params, signal } = request;
    await recordJobView(request, 'job');
    const now = await openPast({ store: deps.store, position: await deps.store.head(), signal }).documentAsOf(
      'jobIndex',
      params.jobId,
    );
    const { steps, earlier } =
      now.status === 'erased' ? { steps: [], earlier: false } : await stepsOfJob(deps.store, params.jobId);
    return {
      success: true as const,
      erased: await erasedView(deps, now),
      data: await presentSteps(deps, steps),
      earlier,
    };
  },
});

export const getBillSteps = route({
  method: 'GET',
  path: '/admin/history/past/bills/{userId}/steps',
  access: 'admin',
  readsLong: true,
  summary: 'List the moments in the life of a bill. The view is recorded',
  params: UserParams,
  response: StepsResponse,
  refusals: ['ACCOUNT_NOT_FOUND'],
  handler: async (request) => {
    const { deps, params } = request;
    await recordBillView(request, params.userId);
    const { steps, earlier } = await stepsOfBill(deps.store, params.userId);
    return { success: true as const, erased: null, data: await presentSteps(deps, steps), earlier };
  },
});

async function presentSteps(deps: RouteRequest['deps'], steps: readonly Step[]) {
  const emailOf = await adminEmails(
    deps,
    steps.map(({ event }) => event),
  );
  return steps.map((step) => presentStep(step, emailOf));
}

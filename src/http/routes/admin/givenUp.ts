/** Work that was given up: listed by kind, run again or dropped by an admin. */
import type { CommandContext } from '../../../commands/context.ts';
import { derivedId } from '../../../commands/derivedId.ts';
import { dropGivenUp, retryGivenUp } from '../../../commands/work/givenUp.ts';
import { DomainError } from '../../../domain/decider.ts';
import { type Position, START } from '../../../eventStore/eventStore.ts';
import { listAccountsById } from '../../../projections/accounts.ts';
import { countGivenUp, type GivenUpDocument, getGivenUp, listGivenUp } from '../../../projections/givenUpWork.ts';
import type { JobIndexDocument } from '../../../projections/jobIndex.ts';
import { listFailedMails } from '../../../projections/mails/failedMails.ts';
import type { SequenceDocument } from '../../../projections/sequences/sequences.ts';
import { listFailedDeliveries } from '../../../projections/webhookDeliveries.ts';
import { listWebhooksById } from '../../../projections/webhooks.ts';
import type { ReadModels } from '../../../readModels/readModels.ts';
import { asAdmin, onBehalfOf } from '../../auth/administering.ts';
import { GivenUpQuery, GivenUpResponse, RetryAllRequest, RetryAllResponse } from '../../contract/admin/givenUp.ts';
import { DoneResponse, WorkItemRequest } from '../../contract/admin/system.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { type Named, presentGivenUp } from '../../present/admin/givenUp.ts';
import { presentWebhookAddress } from '../../present/admin/webhookAddress.ts';
import { HttpError } from '../../request/errors.ts';
import { afterWrite } from '../../routing/afterWrite.ts';
import { route } from '../../routing/route.ts';
import { knownKind } from './operations.ts';

const PAGE = 50;
/** One request tries this many, so that it ends in time; the page asks again for more. */
const RETRIED_AT_ONCE = 100;
/** The list, and the failures listed beside it. */
const shownNext = (shown: ReadModels): Promise<unknown> =>
  Promise.all([countGivenUp(shown, 'mail'), listFailedMails(shown, { limit: 1 }), listFailedDeliveries(shown, 1)]);

export const listGivenUpWork = route({
  method: 'GET',
  path: '/admin/system/given-up',
  access: 'admin',
  summary: 'List work of one kind that was given up and not retried or dropped since, newest first',
  query: GivenUpQuery,
  response: GivenUpResponse,
  handler: async ({ deps, query: { kind = 'audit', limit = PAGE, cursor } }) => {
    knownKind(deps.system, kind);
    const page = await listGivenUp(deps.readModels, { kind, limit, cursor });
    const documents = page.documents.map(({ data }) => data);
    const named = await namesOf(deps, documents);
    return {
      success: true as const,
      items: documents.map((document) => presentGivenUp(document, named)),
      cursor: page.cursor,
    };
  },
});

export const retryGivenUpWork = route({
  method: 'POST',
  path: '/admin/system/given-up/retry',
  access: 'admin',
  summary: 'Run given-up work again on behalf of its owner, with fresh attempts',
  body: WorkItemRequest,
  example: { kind: 'mail', item_id: 'an item' },
  response: DoneResponse,
  refusals: [
    'NO_SUCH_WORK',
    'WORK_NOT_RETRYABLE',
    'MAIL_NOT_RESENDABLE',
    'JOB_NOT_FOUND',
    'JOB_NOT_FAILED',
    'JOB_NOT_FINISHED',
    'ACCOUNT_NOT_FOUND',
  ],
  handler: async (request) => {
    const item = await givenUpItem(request.deps, request.body);
    const { position } = await retryGivenUp(actingOn(request, item), item);
    return afterWrite(request.deps, { position, answer: { success: true as const } }, shownNext);
  },
});

export const dropGivenUpWork = route({
  method: 'POST',
  path: '/admin/system/given-up/drop',
  access: 'admin',
  summary: 'Remove given-up work from the list: nothing more is done about it',
  body: WorkItemRequest,
  example: { kind: 'mail', item_id: 'an item' },
  response: DoneResponse,
  refusals: ['NO_SUCH_WORK'],
  handler: async (request) => {
    const item = await givenUpItem(request.deps, request.body);
    const { position } = await dropGivenUp(actingOn(request, item), item);
    return afterWrite(request.deps, { position, answer: { success: true as const } }, shownNext);
  },
});

export const retryAllGivenUpWork = route({
  method: 'POST',
  path: '/admin/system/given-up/retry-all',
  access: 'admin',
  summary: 'Run all given-up work of one kind again, a hundred at a time; what cannot be run again stays in the list',
  body: RetryAllRequest,
  example: { kind: 'webhook' },
  response: RetryAllResponse,
  handler: async (request) => {
    const { deps, body } = request;
    const { kind, cursor } = body;
    knownKind(deps.system, kind);
    const page = await listGivenUp(deps.readModels, { kind, limit: RETRIED_AT_ONCE, cursor });
    let [retried, refused, last]: [number, number, Position] = [0, 0, START];
    for (const { data } of page.documents) {
      const position = await retriedOne(actingOn(request, data), data);
      if (position === null) refused += 1;
      else {
        retried += 1;
        last = position > last ? position : last;
      }
    }
    return afterWrite(
      deps,
      { position: last, answer: { success: true as const, retried, refused, cursor: page.cursor } },
      shownNext,
    );
  },
});

/** Null if it cannot be run again. */
async function retriedOne(ctx: CommandContext, item: GivenUpDocument): Promise<Position | null> {
  try {
    return (await retryGivenUp({ ...ctx, commandId: derivedId(ctx.commandId, item.kind, item.itemId) }, item)).position;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** @throws HttpError NO_SUCH_WORK */
async function givenUpItem(
  { readModels, system }: HttpDeps,
  { kind, item_id: itemId }: WorkItemRequest,
): Promise<GivenUpDocument> {
  knownKind(system, kind);
  const item = await getGivenUp(readModels, { kind, itemId });
  if (!item) throw new HttpError('NO_SUCH_WORK', 'This work is no longer in the list: it was retried or dropped.');
  return item;
}

function actingOn(request: Parameters<typeof asAdmin>[0], { ownerId }: GivenUpDocument): CommandContext {
  return ownerId === null || ownerId === request.caller.userId
    ? asAdmin(request)
    : onBehalfOf(request, 'change', { kind: 'account', ownerId });
}

async function namesOf({ readModels }: HttpDeps, documents: readonly GivenUpDocument[]): Promise<Named> {
  const idsOf = (field: 'ownerId' | 'jobId' | 'partOf', kind?: string): readonly string[] => [
    ...new Set(documents.flatMap((each) => (kind === undefined || each.kind === kind ? (each[field] ?? []) : []))),
  ];
  const [accounts, jobs, webhooks, sequences] = await Promise.all([
    listAccountsById(readModels, idsOf('ownerId')),
    readModels.getMany<JobIndexDocument>('jobIndex', idsOf('jobId')),
    listWebhooksById(readModels, idsOf('partOf', 'webhook')),
    readModels.getMany<SequenceDocument>('sequences', idsOf('partOf', 'sequenceMail')),
  ]);
  return {
    emails: new Map(accounts.map(({ id, data }) => [id, data.email])),
    names: new Map([
      ...jobs.map(({ id, data }) => [id, data.site] as const),
      ...webhooks.map(({ id, url }) => [id, presentWebhookAddress(url)] as const),
      ...sequences.map(({ id, data }) => [id, data.name] as const),
    ]),
  };
}

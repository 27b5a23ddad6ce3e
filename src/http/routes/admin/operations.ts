/** Operations for when the installation has problems: the same commands as in a terminal, run by an admin. */
import { setTimeout as wait } from 'node:timers/promises';
import { resendMail } from '../../../commands/mail/resendMail.ts';
import { retryParked } from '../../../commands/work/retryParked.ts';
import { whyNotResent } from '../../../domain/mail/resend.ts';
import { FAILURES_LISTED } from '../../../model/adminLists.ts';
import { listAccountsById } from '../../../projections/accounts.ts';
import { listFailedMails } from '../../../projections/mails/failedMails.ts';
import { listFailedDeliveries, type WebhookDeliveryDocument } from '../../../projections/webhookDeliveries.ts';
import { listWebhooksById } from '../../../projections/webhooks.ts';
import type { ParkedRecord } from '../../../readModels/readModels.ts';
import { asAdmin } from '../../auth/administering.ts';
import {
  DoneResponse,
  ParkedRetryRequest,
  ParkedRetryResponse,
  ResendMailRequest,
  SystemMailsResponse,
  SystemResponse,
  SystemWebhooksResponse,
  WorkItemRequest,
  WorkItemsResponse,
  WorkQuery,
} from '../../contract/admin/system.ts';
import type { HttpDeps } from '../../deps/deps.ts';
import { presentLlmProviders } from '../../present/admin/monitoring.ts';
import { presentSystem, presentWorkItem } from '../../present/admin/system.ts';
import { presentWebhookAddress } from '../../present/admin/webhookAddress.ts';
import { HttpError, invalidInput } from '../../request/errors.ts';
import { afterWrite } from '../../routing/afterWrite.ts';
import { route } from '../../routing/route.ts';

const WORK_PAGE = 50;
const POLL_MS = 100;

export const getSystem = route({
  method: 'GET',
  path: '/admin/system',
  access: 'admin',
  summary:
    'Get the state of the installation: problems, processes, read models, parked events, background work, switches, disk, backup',
  response: SystemResponse,
  handler: async ({ deps: { system, config, payments } }) => {
    const state = await system.state();
    const { current_provider: provider, providers } = presentLlmProviders(system.llm, state.processes);
    const { status = 'not_configured', detail = null } = providers[provider] ?? {};
    const problems = system.problemsOf(state, { ...system.services(), llm: { status, detail } });
    return {
      success: true as const,
      data: presentSystem(state, { config, payments: payments?.mode ?? 'off', problems }),
    };
  },
});

export const retryParkedEvent = route({
  method: 'POST',
  path: '/admin/system/parked/retry',
  access: 'admin',
  summary:
    'Have the projector apply the missed events to a parked document; returns the outcome, or that it is still running',
  body: ParkedRetryRequest,
  example: { model: 'boards', document_id: 'a document' },
  response: ParkedRetryResponse,
  refusals: ['NOT_PARKED'],
  handler: async (request) => {
    const { deps, signal } = request;
    const { model, document_id: documentId } = request.body;
    const before = await parkedRecord(deps, model, documentId);
    if (!before) throw new HttpError('NOT_PARKED', 'This event is not parked any more.');
    await retryParked(asAdmin(request), { model, documentId });
    const deadline = performance.now() + deps.config.reworkWaitMs;
    while (performance.now() < deadline && !signal.aborted) {
      const now = await parkedRecord(deps, model, documentId);
      if (!now) return { success: true as const, outcome: 'applied' as const, error: null };
      if (now.parkedAt !== before.parkedAt || now.build !== before.build)
        return { success: true as const, outcome: 'still_parked' as const, error: now.error };
      await wait(POLL_MS, undefined, { signal });
    }
    return { success: true as const, outcome: 'pending' as const, error: null };
  },
});

async function parkedRecord({ readModels }: HttpDeps, model: string, documentId: string): Promise<ParkedRecord | null> {
  return (await readModels.parked(model)).findLast((record) => record.documentId === documentId) ?? null;
}

export const listWork = route({
  method: 'GET',
  path: '/admin/system/work',
  access: 'admin',
  summary: 'List pending work of one kind, by due time',
  query: WorkQuery,
  response: WorkItemsResponse,
  handler: async ({ deps: { system }, query: { kind = 'audit', limit = WORK_PAGE, cursor } }) => {
    knownKind(system, kind);
    const { rows, cursor: next } = await system.work.list({ kind, limit, ...(cursor === undefined ? {} : { cursor }) });
    return { success: true as const, items: rows.map(presentWorkItem), cursor: next };
  },
});

export const retryWorkItem = route({
  method: 'POST',
  path: '/admin/system/work/retry',
  access: 'admin',
  summary: 'Make a work item due now and reset its attempts',
  body: WorkItemRequest,
  example: { kind: 'mail', item_id: 'an item' },
  response: DoneResponse,
  refusals: ['NO_SUCH_WORK'],
  handler: async (request) => {
    const { kind, item_id: itemId } = request.body;
    knownKind(request.deps.system, kind);
    await request.deps.system.work.retry(asAdmin(request), { kind, itemId });
    return { success: true as const };
  },
});

export const dropWorkItem = route({
  method: 'POST',
  path: '/admin/system/work/drop',
  access: 'admin',
  summary: 'Give up a work item for good',
  body: WorkItemRequest,
  example: { kind: 'mail', item_id: 'an item' },
  response: DoneResponse,
  refusals: ['NO_SUCH_WORK', 'WORK_ALREADY_OVER'],
  handler: async (request) => {
    const { kind, item_id: itemId } = request.body;
    knownKind(request.deps.system, kind);
    await request.deps.system.work.drop(asAdmin(request), { kind, itemId });
    return { success: true as const };
  },
});

/** @throws HttpError INVALID_INPUT */
export function knownKind({ work: { kinds } }: HttpDeps['system'], kind: string): void {
  if (!kinds.includes(kind)) throw invalidInput([{ path: 'kind', message: `It is one of: ${kinds.join(', ')}` }]);
}

export const listSystemMails = route({
  method: 'GET',
  path: '/admin/system/mails',
  access: 'admin',
  summary: 'List the newest emails that were kept instead of sent, and those that failed',
  response: SystemMailsResponse,
  handler: async ({ deps }) => {
    const [outbox, { documents }] = await Promise.all([
      deps.system.outbox(),
      listFailedMails(deps.readModels, { limit: FAILURES_LISTED }),
    ]);
    const failed = documents.map(({ data }) => data);
    const emails = await emailsOf(
      deps,
      failed.map(({ userId }) => userId),
    );
    return {
      success: true as const,
      outbox: outbox?.map(({ to, subject, at }) => ({ to, subject, at })) ?? null,
      failed: failed.map((mail) => ({
        ...mail,
        email: emails.get(mail.userId) ?? null,
        not_resendable: emails.has(mail.userId)
          ? whyNotResent({ kind: mail.kind, outcome: mail.reason, cause: mail.hasCause })
          : 'The account has been deleted.',
      })),
    };
  },
});

export const resendFailedMail = route({
  method: 'POST',
  path: '/admin/system/mails/resend',
  access: 'admin',
  summary: 'Send a failed email again, if its recipient should still get it',
  body: ResendMailRequest,
  example: { mail_id: 'a mail' },
  response: DoneResponse,
  refusals: ['MAIL_NOT_RESENDABLE'],
  handler: async (request) => {
    const { deps, body, caller, log } = request;
    const { position } = await resendMail(asAdmin(request), { mailId: body.mail_id });
    log().info({ event: 'mail_requeued', mailId: body.mail_id, adminId: caller.userId }, 'a mail is sent again');
    return afterWrite(deps, { position, answer: { success: true as const } }, (shown) =>
      listFailedMails(shown, { limit: 1 }),
    );
  },
});

export const listSystemWebhooks = route({
  method: 'GET',
  path: '/admin/system/webhooks',
  access: 'admin',
  summary: 'List the newest webhook deliveries that were given up',
  response: SystemWebhooksResponse,
  handler: async ({ deps }) => {
    const failed = await listFailedDeliveries(deps.readModels, FAILURES_LISTED);
    const [emails, endpoints] = await Promise.all([
      emailsOf(
        deps,
        failed.map(({ userId }) => userId),
      ),
      listWebhooksById(deps.readModels, [...new Set(failed.map(({ endpointId }) => endpointId))]),
    ]);
    const urls = new Map(endpoints.map(({ id, url }) => [id, presentWebhookAddress(url)]));
    const view = ({ id, endpointId, userId, event, tries, settledAt, queued_at }: WebhookDeliveryDocument) => ({
      id,
      url: urls.get(endpointId) ?? null,
      email: emails.get(userId) ?? null,
      event,
      tries: tries.length,
      error: errorOf(tries.at(-1)),
      failed_at: settledAt ?? queued_at,
    });
    return { success: true as const, failed: failed.map(view) };
  },
});

const errorOf = (last: WebhookDeliveryDocument['tries'][number] | undefined): string | null =>
  last?.error ?? (last?.status === null || last === undefined ? null : `Answered ${last.status}`);

async function emailsOf({ readModels }: HttpDeps, userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await listAccountsById(readModels, [...new Set(userIds)])).map(({ id, data }) => [id, data.email]));
}

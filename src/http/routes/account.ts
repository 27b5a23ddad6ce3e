/** The account as a whole: export and deletion. */
import * as z from 'zod';
import { readExportFile } from '../../commands/accountExport/exportFile.ts';
import { requestAccountExport } from '../../commands/accountExport/requestAccountExport.ts';
import { isLastAdmin } from '../../projections/accounts.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { getBilling } from '../../projections/billing.ts';
import {
  type AccountExportDocument,
  getAccountExport,
  newAccountExport,
  unexpired,
} from '../../projections/exports/accountExports.ts';
import { countSessions } from '../../projections/sessions.ts';
import { listShares } from '../../projections/shares.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import { accountExport } from '../account/accountExport.ts';
import { removeAccount } from '../account/accountRemoval.ts';
import { oneAtATime } from '../account/oneExport.ts';
import { accountOf } from '../auth/accountOf.ts';
import { confirmOwner } from '../auth/confirmPassword.ts';
import {
  AccountDeletionResponse,
  AccountExport,
  AccountExportStateResponse,
  DELETION_CONFIRMATION,
  DeleteAccountRequest,
  DeleteAccountResponse,
} from '../contract/account.ts';
import { awaitDocument } from '../jobs/awaitRework.ts';
import { presentLoss } from '../present/billing.ts';
import { HttpError, tooMany, unauthenticated } from '../request/errors.ts';
import { Download } from '../request/reply.ts';
import { route } from '../routing/route.ts';

const nameOf = (at: string): string => `seo-workbench-account-${at.slice(0, 10)}.json`;

/** When to try again while another export of the account is being sent. */
const ANOTHER_EXPORT_SECONDS = 5;

/** Audits that are read while their export is sent; more take seconds, which is work. */
const AUDITS_AT_ONCE = 100;

export const exportAccount = route({
  method: 'GET',
  path: '/account/export',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: `Download everything about your account as one JSON file at once, with up to ${AUDITS_AT_ONCE} audits`,
  response: AccountExport,
  refusals: ['EXPORT_TOO_LARGE'],
  handler: async ({ deps, caller: { userId }, signal }) => {
    if ((await deps.readModels.count('jobs', { userId })) > AUDITS_AT_ONCE) {
      throw new HttpError(
        'EXPORT_TOO_LARGE',
        `With more than ${AUDITS_AT_ONCE} audits, an export takes a while: request a file with POST /api/v1/account/export.`,
      );
    }
    const chunks = oneAtATime(deps.readModels, userId, signal, () => accountExport(deps, userId));
    if (!chunks) throw tooMany(ANOTHER_EXPORT_SECONDS, 'submit');
    return new Download(nameOf(deps.now()), chunks);
  },
});

export const postAccountExport = route({
  method: 'POST',
  path: '/account/export',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: 'Request a file with everything about your account; while one is being written, returns that one',
  response: AccountExportStateResponse,
  refusals: ['ACCOUNT_NOT_FOUND'],
  // A repeat returns the state by then.
  answerNotKept: true,
  handler: async (request) => {
    const { deps, caller, command, noteSecurity } = request;
    const { userId } = caller;
    const { ask, position } = await requestAccountExport(command, { userId });
    noteSecurity('account_exported', { userId });
    const hasEnded = (data: AccountExportDocument): boolean => data.ask >= ask && data.status !== 'pending';
    const ended = await awaitDocument(request, { model: 'accountExports', id: userId, after: position }, hasEnded);
    const known = ended === null || ended === 'gone' ? await getAccountExport(deps.readModels, userId) : ended;
    const shown =
      known && known.data.ask >= ask ? known.data : newAccountExport({ userId, ask, requestedAt: command.now() });
    return { success: true as const, export: unexpired(shown, deps.now()) };
  },
});

export const getAccountExportState = route({
  method: 'GET',
  path: '/account/export/state',
  access: 'user',
  sessionOnly: true,
  summary: 'Get the state of your last export: how much of it is written, or until when its file is there',
  response: AccountExportStateResponse,
  handler: async ({ deps, caller }) => {
    const found = await getAccountExport(deps.readModels, caller.userId);
    return { success: true as const, export: found && unexpired(found.data, deps.now()) };
  },
});

export const getAccountExportFile = route({
  method: 'GET',
  path: '/account/export/files/{fileId}',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: 'Download the file of your last export, for seven days after it was written',
  params: z.object({ fileId: z.string().min(1).max(64) }),
  response: AccountExport,
  refusals: ['EXPORT_NOT_FOUND'],
  handler: async ({ deps, params: { fileId }, caller }) => {
    // Only the caller's own is found.
    const found = (await getAccountExport(deps.readModels, caller.userId))?.data;
    if (found?.file_id !== fileId || !found.file || !unexpired(found, deps.now())) {
      throw new HttpError('EXPORT_NOT_FOUND', 'This file is no longer there. Please export your data again.');
    }
    return new Download(nameOf(found.file.readyAt), readExportFile(deps.store, { fileId, ...found.file }));
  },
});

export const getAccountDeletion = route({
  method: 'GET',
  path: '/account/deletion',
  access: 'user',
  sessionOnly: true,
  summary: 'Preview what deleting your account would remove',
  response: AccountDeletionResponse,
  handler: async ({ deps: { readModels, store, now }, caller: { userId } }) => {
    const account = await accountOf({ readModels, store }, userId);
    if (!account) throw unauthenticated();
    const [running, finished, sessions, keys, shares, webhooks, bill] = await Promise.all([
      readModels.count('jobs', { userId, finished: false }),
      readModels.count('jobs', { userId, finished: true }),
      countSessions(readModels, userId),
      listApiKeys(readModels, userId),
      listShares(readModels, userId),
      listWebhooks(readModels, userId),
      getBilling(readModels, userId),
    ]);
    return {
      success: true as const,
      data: {
        jobs: running + finished,
        running_jobs: running,
        sessions,
        api_keys: keys.length,
        webhooks: webhooks.length,
        shares: shares.reduce((sum, document) => sum + document.shares.length, 0),
        ...presentLoss(bill?.data ?? null, now()),
        last_admin: await isLastAdmin(readModels, account),
        confirmation: DELETION_CONFIRMATION,
      },
    };
  },
});

export const deleteOwnAccount = route({
  method: 'DELETE',
  path: '/account',
  access: 'user',
  sessionOnly: true,
  secret: true,
  summary: 'Delete your account and everything in it, for good; running audits are canceled, all sessions end',
  body: DeleteAccountRequest,
  example: { password: 'a good password', confirmation: DELETION_CONFIRMATION },
  response: DeleteAccountResponse,
  refusals: ['WRONG_PASSWORD', 'RECENT_LOGIN_REQUIRED', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, caller, command, log, noteSecurity } = request;
    const { userId } = caller;
    await confirmOwner(request, request.body.password);
    await removeAccount(deps, command, userId, log());
    noteSecurity('account_deleted', { userId });
    return { success: true as const, message: 'Your account and everything in it has been deleted.' };
  },
});

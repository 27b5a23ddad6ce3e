/** The account as a whole: export and deletion. */
import { isLastAdmin } from '../../projections/accounts.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { getBilling } from '../../projections/billing.ts';
import { listShares } from '../../projections/shares.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import { accountExport } from '../accountExport.ts';
import { removeAccount } from '../accountRemoval.ts';
import { accountOf } from '../auth/accountOf.ts';
import { confirmPassword } from '../auth/confirmPassword.ts';
import { AccountDeletionResponse, AccountExport, DELETION_CONFIRMATION, DeleteAccountRequest, DeleteAccountResponse } from '../contract/account.ts';
import { unauthenticated } from '../errors.ts';
import { presentLoss } from '../present/billing.ts';
import { Download } from '../reply.ts';
import { route } from '../route.ts';

export const exportAccount = route({
  method: 'GET',
  path: '/account/export',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: 'Download everything about your account as one JSON file',
  response: AccountExport,
  handler: async ({ deps, caller }) => new Download(`seo-workbench-account-${deps.now().slice(0, 10)}.json`, accountExport(deps, caller.userId)),
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
      readModels.count('sessions', { userId }),
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
  summary: 'Delete your account and everything in it, for good; running audits are cancelled, all sessions end',
  body: DeleteAccountRequest,
  example: { password: 'a good password', confirmation: DELETION_CONFIRMATION },
  response: DeleteAccountResponse,
  refusals: ['WRONG_PASSWORD', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, caller, command, log, address } = request;
    const { userId } = caller;
    await confirmPassword(request, request.body.password);
    await removeAccount(deps, command, userId, log());
    log().info({ event: 'account_deleted', userId, address }, 'an account was deleted by its owner');
    return { success: true as const, message: 'Your account and everything in it has been deleted.' };
  },
});

/** The account as a whole: everything in it as a file, and its end. */
import { MODELS_OF_ACCOUNT_PARTS } from '../../commands/account/accountParts.ts';
import { deleteAccount } from '../../commands/account/deleteAccount.ts';
import { closeAccount, eraseAccount, MODELS_OF_CLOSING } from '../../commands/account/eraseAccount.ts';
import type { CommandContext } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { AT_ONCE } from '../../commands/someAtOnce.ts';
import { comparePositions, type Position } from '../../eventStore/eventStore.ts';
import { isLastAdmin } from '../../projections/accounts.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { getBilling } from '../../projections/billing.ts';
import { documentsOf } from '../../projections/owned.ts';
import { listShares } from '../../projections/shares.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import { accountExport } from '../accountExport.ts';
import { accountOf } from '../auth/accountOf.ts';
import { confirmPassword } from '../auth/confirmPassword.ts';
import { AccountDeletionResponse, AccountExport, DELETION_CONFIRMATION, DeleteAccountRequest, DeleteAccountResponse } from '../contract/account.ts';
import { unauthenticated } from '../errors.ts';
import { presentLoss } from '../present/billing.ts';
import { caughtUp } from '../readYourWrites.ts';
import { Download } from '../reply.ts';
import { route } from '../route.ts';

/** What must have forgotten the account when its deletion is answered. */
const MODELS_OF_AN_ACCOUNT = ['accounts', 'sessions', 'apiKeys', 'jobs', 'jobFiles', 'boards', 'shares', 'webhooks', 'webhookDeliveries'];

export const exportAccount = route({
  method: 'GET',
  path: '/account/export',
  access: 'user',
  sessionOnly: true,
  limit: 'submit',
  summary: 'Everything about the signed-in user as one JSON file',
  response: AccountExport,
  handler: async ({ deps, caller }) => new Download(`seo-workbench-account-${deps.now().slice(0, 10)}.json`, accountExport(deps, caller.userId)),
});

export const getAccountDeletion = route({
  method: 'GET',
  path: '/account/deletion',
  access: 'user',
  sessionOnly: true,
  summary: 'What deleting the account would remove, for good',
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

/** All of it, or of an account with many jobs what nobody may see any more: then the follower of deletions erases the rest. */
async function eraseAtOnce(ctx: CommandContext, readModels: ReadModels, userId: string): Promise<{ readonly position: Position }> {
  const scope = { userId, owned: (model: string, owner: string) => documentsOf(readModels, model, owner) };
  const isSmall = (await readModels.count('jobs', { userId })) <= AT_ONCE;
  return isSmall ? eraseAccount(ctx, scope) : closeAccount(ctx, scope);
}

export const deleteOwnAccount = route({
  method: 'DELETE',
  path: '/account',
  access: 'user',
  sessionOnly: true,
  secret: true,
  summary: 'Delete the account with everything in it, for good; running analyses are cancelled, all sessions end',
  body: DeleteAccountRequest,
  example: { password: 'a good password', confirmation: DELETION_CONFIRMATION },
  response: DeleteAccountResponse,
  refusals: ['WRONG_PASSWORD', 'RATE_LIMITED', 'BUSY'],
  handler: async (request) => {
    const { deps, caller, command, log, address } = request;
    const { userId } = caller;
    await confirmPassword(request, request.body.password);
    const { position } = await deleteAccount(command, { userId });
    log().info({ event: 'account_deleted', userId, address }, 'an account was deleted by its owner');
    await caughtUp(deps, [...MODELS_OF_CLOSING, ...MODELS_OF_ACCOUNT_PARTS], position);
    const erased = await eraseAtOnce({ ...command, commandId: derivedId(command.commandId, 'erase') }, deps.readModels, userId).catch((error: unknown) => {
      // The account is gone whatever happens here; the follower of deletions goes on.
      log().error({ err: error, userId }, 'the erasure of a deleted account broke off; it is taken up again');
      return { position };
    });
    await caughtUp(deps, MODELS_OF_AN_ACCOUNT, comparePositions(erased.position, position) > 0 ? erased.position : position);
    return { success: true as const, message: 'Your account and everything in it has been deleted.' };
  },
});

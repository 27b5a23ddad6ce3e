/** Deletion of an account, by its owner or by an admin. */
import type { Logger } from 'pino';
import type { ListOwned } from '../../commands/account/accountParts.ts';
import { deleteAccount } from '../../commands/account/deleteAccount.ts';
import { closeAccount, eraseAccount } from '../../commands/account/eraseAccount.ts';
import { endPlans } from '../../commands/billing/endPlans.ts';
import type { CommandContext } from '../../commands/context.ts';
import { derivedId } from '../../commands/derivedId.ts';
import { AT_ONCE } from '../../commands/someAtOnce.ts';
import { comparePositions, type Position } from '../../eventStore/eventStore.ts';
import { getAccount } from '../../projections/accounts.ts';
import { listApiKeys } from '../../projections/apiKeys.ts';
import { getAccountExport } from '../../projections/exports/accountExports.ts';
import { ownedNames } from '../../projections/owned.ts';
import { listSessions } from '../../projections/sessions.ts';
import { getProgressTotals } from '../../projections/userProgress/userProgress.ts';
import { listDeliveries } from '../../projections/webhookDeliveries.ts';
import { listWebhooks } from '../../projections/webhooks.ts';
import type { ReadModels } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { partsOfJob } from '../jobs/partsOfJob.ts';
import { atProvider } from '../money/atProvider.ts';
import { afterWrite } from '../routing/afterWrite.ts';

/** Erases everything, or, for an account with many jobs, only closes it; the deletion follower then erases the rest. */
async function eraseAtOnce(
  ctx: CommandContext,
  readModels: ReadModels,
  userId: string,
): Promise<{ readonly position: Position }> {
  const owned: ListOwned = (...of) => ownedNames(readModels, ...of);
  const scope = { userId, owned };
  const isSmall = (await readModels.count('jobs', { userId })) <= AT_ONCE;
  return isSmall ? eraseAccount(ctx, scope) : closeAccount(ctx, scope);
}

/** How long a deletion waits for the payment provider. */
const TIMEOUT_MS = 5_000;

/**
 * One attempt, so that nothing is charged for an account that is gone. If it fails, the follower of deleted accounts
 * continues for as long as it takes.
 */
async function endPlansFirst(deps: HttpDeps, ctx: CommandContext, userId: string, log: Logger): Promise<void> {
  if (!deps.payments) return;
  const end = { ...ctx, commandId: derivedId(ctx.commandId, 'end plans') };
  await atProvider({ deps, log: () => log }, (payments) => endPlans(end, { userId, payments }), {
    timeoutMs: TIMEOUT_MS,
  }).catch((error: unknown) => {
    log.warn(
      { err: error, userId },
      'the plan of an account could not be ended before its deletion and will be ended after it',
    );
  });
}

/** @throws DomainError ACCOUNT_NOT_FOUND */
export async function removeAccount(deps: HttpDeps, ctx: CommandContext, userId: string, log: Logger): Promise<void> {
  await endPlansFirst(deps, ctx, userId, log);
  const { position } = await deleteAccount(ctx, { userId });
  const erase = (readModels: ReadModels) =>
    eraseAtOnce({ ...ctx, commandId: derivedId(ctx.commandId, 'erase') }, readModels, userId);
  const erased = await afterWrite(deps, { position, otherwise: () => erase(deps.readModels) }, erase).catch(
    (error: unknown) => {
      // The account is deleted whatever happens here; the deletion follower continues.
      log.error({ err: error, userId }, 'the erasure of a deleted account failed and will be retried');
      return { position };
    },
  );
  const last = comparePositions(erased.position, position) > 0 ? erased.position : position;
  await afterWrite(deps, { position: last, answer: null }, (shown) => partsOfAccount(shown, userId));
}

/** What must be gone before the deletion is answered. */
function partsOfAccount(readModels: ReadModels, userId: string): Promise<unknown> {
  return Promise.all([
    getAccount(readModels, userId),
    listSessions(readModels, userId),
    listApiKeys(readModels, userId),
    getAccountExport(readModels, userId),
    listWebhooks(readModels, userId),
    listDeliveries(readModels, '', { limit: 1 }),
    partsOfJob(readModels, ''),
    getProgressTotals(readModels),
  ]);
}

/**
 * An account's data in other streams, and how each part is erased. This is the only list: anything missing from it
 * outlives the account.
 */

import { sessionStream } from '../../domain/account/events.ts';
import { apiKeysDecider } from '../../domain/apiKeys/apiKeys.ts';
import { apiKeysStream, apiKeyUseStream } from '../../domain/apiKeys/events.ts';
import { billingNotesStream, billingStream } from '../../domain/billing/events.ts';
import { jobStream } from '../../domain/job/events.ts';
import { secondFactorStream } from '../../domain/secondFactor/events.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { comparePositions, type EventStore, type Position, START } from '../../eventStore/eventStore.ts';
import { closeAccountExports } from '../accountExport/removeAccountExport.ts';
import { settleAnalysis } from '../billing/settleAnalysis.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { cancelJob } from '../job/cancelJob.ts';
import { deleteJob } from '../job/deleteJob.ts';
import { keepLastOnly } from '../keepLastOnly.ts';
import { closeLogIn } from '../logIn/closeLogIn.ts';
import { eraseHistory } from '../mail/eraseHistory.ts';
import { removeSecondFactor } from '../secondFactor/secondFactor.ts';
import { closeSequenceMails } from '../sequence/enrolments.ts';
import { endSession } from '../session/endSession.ts';
import { someAtOnce } from '../someAtOnce.ts';
import { deleteTalliesOf } from '../tally/sumTallies.ts';
import { unlessRefused } from '../unlessRefused.ts';
import { forgetDelivery } from '../webhooks/webhookDeliveries.ts';
import { closeWebhooks } from '../webhooks/webhooks.ts';

/**
 * Names what a user has in a read model: ids of documents, or, of kept answers, their streams. Of sessions all that
 * ever were, unless only the open ones are asked for.
 */
export type ListOwned = (model: string, userId: string, which?: { readonly isOpen: true }) => AsyncIterable<string>;

export type ErasureScope = {
  /** Must have caught up with the deletion: anything it does not list is not erased. */
  readonly owned: ListOwned;
};

type AccountPart = {
  readonly name: string;
  /** Read models its list comes from: they must have processed the deletion first. */
  readonly models: readonly string[];
  /** Safe to repeat. Returns the position of what it wrote, so that the caller can wait for the read models. */
  readonly erase: (ctx: CommandContext, userId: string, scope: ErasureScope) => Promise<Position>;
};

/**
 * Each erasure keeps the event that informs the read models, as the stream's last one, and erases everything before it.
 */
export const ACCOUNT_PARTS: readonly AccountPart[] = [
  // Includes sessions that ended long ago: they identify devices.
  {
    name: 'sessions',
    models: ['sessions'],
    erase: (ctx, userId, { owned }) =>
      forEach(owned('sessions', userId), (sessionId) => eraseSession(ctx, userId, sessionId)),
  },
  { name: 'second factor', models: [], erase: (ctx, userId) => closeSecondFactor(ctx, userId) },
  { name: 'ways to log in', models: [], erase: closeLogIn },
  { name: 'API keys', models: [], erase: (ctx, userId) => closeApiKeys(ctx, userId) },
  // Includes jobs that their owner deleted: the submission is still in their streams.
  {
    name: 'jobs',
    models: [],
    erase: (ctx, userId) => forEach(jobsOf(ctx.store, userId), (jobId) => eraseJob(ctx, userId, jobId)),
  },
  // In this order: closed endpoints produce no new deliveries.
  { name: 'webhooks', models: [], erase: (ctx, userId) => closeWebhooks(ctx, userId) },
  {
    name: 'webhook deliveries',
    models: ['webhookDeliveries'],
    erase: (ctx, userId, { owned }) =>
      forEach(owned('webhookDeliveries', userId), (deliveryId) => forgetDelivery(ctx, { deliveryId, endpointId: '' })),
  },
  {
    name: 'notes on the bill',
    models: [],
    erase: async (ctx, userId) => {
      await ctx.store.delete(billingNotesStream(userId));
      return START;
    },
  },
  {
    name: 'tallies',
    models: [],
    erase: async (ctx, userId) => {
      await deleteTalliesOf(ctx, userId);
      return START;
    },
  },
  { name: 'sequence mails', models: [], erase: (ctx, userId) => closeSequenceMails(ctx, userId) },
  { name: 'exports', models: [], erase: (ctx, userId) => closeAccountExports(ctx, userId) },
  // Responses kept for repeated requests: they may contain anything the user was shown.
  {
    name: 'kept answers',
    models: ['keptAnswers'],
    erase: (ctx, userId, { owned }) =>
      forEach(owned('keptAnswers', userId), async (stream) => {
        await ctx.store.delete(stream);
        return START;
      }),
  },
];

export const MODELS_OF_ACCOUNT_PARTS: readonly string[] = [...new Set(ACCOUNT_PARTS.flatMap(({ models }) => models))];

/** Revokes access: ends open sessions and closes the API keys. */
export async function endAccess(ctx: CommandContext, userId: string, owned: ListOwned): Promise<Position> {
  const end = (sessionId: string) => endSession(ctx, { sessionId, userId, reason: 'account_deleted' });
  const open = owned('sessions', userId, { isOpen: true });
  const sessions = await forEach(open, async (sessionId) => (await end(sessionId)).position);
  const keys = await closeApiKeys(ctx, userId);
  return comparePositions(keys, sessions) > 0 ? keys : sessions;
}

async function eraseSession(ctx: CommandContext, userId: string, sessionId: string): Promise<Position> {
  const { position } = await endSession(ctx, { sessionId, userId, reason: 'account_deleted' });
  await keepLastOnly(ctx.store, sessionStream(sessionId));
  return position;
}

async function closeSecondFactor(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = secondFactorStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  const { position } = await removeSecondFactor(ctx, { userId, reason: 'account_deleted' });
  await eraseHistory(ctx, { stream, userId });
  return position;
}

async function closeApiKeys(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = apiKeysStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  const { state, position } = await handle(ctx, apiKeysDecider, stream, {
    type: 'CloseApiKeys',
    userId,
    at: ctx.now(),
  });
  await keepLastOnly(ctx.store, stream);
  for (const keyId of state.known) await ctx.store.delete(apiKeyUseStream(keyId));
  return position;
}

/** Cancels the job first if it is running. The bill stays, including the fact that the job existed and for whom. */
async function eraseJob(ctx: CommandContext, userId: string, jobId: string): Promise<Position> {
  const stream = jobStream(jobId);
  const read = await ctx.store.read(stream, { limit: 1 });
  // Already erased, or never submitted.
  if (read.status !== 'found' || read.events[0]?.type === 'JobDeleted') return START;
  await cancelJob(ctx, { jobId }).catch(unlessRefused('JOB_ALREADY_FINISHED', 'JOB_NOT_FOUND'));
  await settleAnalysis(ctx, { jobId });
  const deleted = await deleteJob(ctx, { jobId }).catch(unlessRefused('JOB_NOT_FOUND'));
  await eraseHistory(ctx, { stream, userId });
  return deleted?.position ?? START;
}

/** The bill lists every job ever reserved, and stays. */
async function* jobsOf(store: EventStore, userId: string): AsyncGenerator<string> {
  const read = await store.read(billingStream(userId));
  if (read.status !== 'found') return;
  for (const { data } of eventsOf(read.events, 'AnalysisReserved')) yield data.jobId;
}

async function forEach(ids: AsyncIterable<string>, erase: (id: string) => Promise<Position>): Promise<Position> {
  // Collects all ids first, because erasing changes the underlying list.
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  let last: Position = START;
  await someAtOnce(all, async (id) => {
    const position = await erase(id);
    if (position > last) last = position;
  });
  return last;
}

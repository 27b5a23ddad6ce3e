/** What an account leaves behind in other streams, and how each part of it is erased. The one list: what is not in it outlives its owner. */

import { sessionStream } from '../../domain/account/session.ts';
import { apiKeysDecider, apiKeysStream, apiKeyUseStream } from '../../domain/apiKeys/apiKeys.ts';
import { billingStream } from '../../domain/billing/billing.ts';
import { DomainError } from '../../domain/decider.ts';
import { jobStream } from '../../domain/job/job.ts';
import { type EventOf, type EventType, eventsOf, isOf } from '../../domain/stored/eventOf.ts';
import { isActorOf } from '../../domain/stored/metadata.ts';
import { type EventStore, type Position, type Recorded, START } from '../../eventStore/eventStore.ts';
import { settleAnalysis } from '../billing/settleAnalysis.ts';
import type { CommandContext } from '../context.ts';
import { handle } from '../handle.ts';
import { cancelJob } from '../job/cancelJob.ts';
import { deleteJob } from '../job/deleteJob.ts';
import { keepLastOnly } from '../keepLastOnly.ts';
import { eraseHistory } from '../mail/eraseHistory.ts';
import { endSession } from '../session/endSession.ts';
import { forgetDelivery } from '../webhooks/webhookDeliveries.ts';
import { closeWebhooks } from '../webhooks/webhooks.ts';

/** Ids of the documents of a read model that belong to a user. */
export type ListOwned = (model: string, userId: string) => AsyncIterable<string>;

/** A stretch of the log: what came after a position, up to a time (UTC ISO). */
export type Stretch = { readonly after: Position; readonly until: string };

export type ErasureScope = {
  /** Must have caught up with the deletion. */
  readonly owned: ListOwned;
  /** Parts that are looked for in the log itself are looked for only there. Default: in all of it. */
  readonly within?: Stretch;
};

type AccountPart = {
  readonly name: string;
  /** Read models that its list is read from: they must know of the deletion first. */
  readonly models: readonly string[];
  /** Safe to repeat. Answers the position of what it wrote, so that the caller can wait for the read models. */
  readonly erase: (ctx: CommandContext, userId: string, scope: ErasureScope) => Promise<Position>;
};

/** Who erases keeps the fact that tells the read models, as the stream's last event, and lets go of everything before it. */
export const ACCOUNT_PARTS: readonly AccountPart[] = [
  // Those that ended long ago too, which no read model knows any more: they tell of devices.
  {
    name: 'sessions',
    models: [],
    erase: (ctx, userId, { within }) => forEach(sessionsOf(ctx.store, userId, within), (sessionId) => eraseSession(ctx, userId, sessionId)),
  },
  { name: 'API keys', models: [], erase: (ctx, userId) => closeApiKeys(ctx, userId) },
  // Those that their owner has deleted too: what was submitted still stands in their streams.
  { name: 'jobs', models: [], erase: (ctx, userId) => forEach(jobsOf(ctx.store, userId), (jobId) => eraseJob(ctx, userId, jobId)) },
  // In this order: from a closed endpoint nothing new comes.
  { name: 'webhooks', models: [], erase: (ctx, userId) => closeWebhooks(ctx, userId) },
  {
    name: 'webhook deliveries',
    models: ['webhookDeliveries'],
    erase: (ctx, userId, { owned }) => forEach(owned('webhookDeliveries', userId), (deliveryId) => forgetDelivery(ctx, { deliveryId, endpointId: '' })),
  },
  { name: 'kept answers', models: [], erase: (ctx, userId, { within }) => eraseKeptAnswers(ctx.store, userId, within) },
];

export const MODELS_OF_ACCOUNT_PARTS: readonly string[] = [...new Set(ACCOUNT_PARTS.flatMap(({ models }) => models))];

async function eraseSession(ctx: CommandContext, userId: string, sessionId: string): Promise<Position> {
  const { position } = await endSession(ctx, { sessionId, userId, reason: 'account_deleted' });
  await keepLastOnly(ctx.store, sessionStream(sessionId));
  return position;
}

async function closeApiKeys(ctx: CommandContext, userId: string): Promise<Position> {
  const stream = apiKeysStream(userId);
  if ((await ctx.store.read(stream, { limit: 1 })).status !== 'found') return START;
  const { state, position } = await handle(ctx, apiKeysDecider, stream, { type: 'CloseApiKeys', userId, at: ctx.now() });
  await keepLastOnly(ctx.store, stream);
  for (const keyId of state.known) await ctx.store.delete(apiKeyUseStream(keyId), { mode: 'hard' });
  return position;
}

/** Cancelled first when it runs. Its bill stays; that it was, and for whom, stays with it. */
async function eraseJob(ctx: CommandContext, userId: string, jobId: string): Promise<Position> {
  const stream = jobStream(jobId);
  const read = await ctx.store.read(stream, { limit: 1 });
  // Erased before, or never submitted.
  if (read.status !== 'found' || read.events[0]?.type === 'JobDeleted') return START;
  await cancelJob(ctx, { jobId }).catch(unless('JOB_ALREADY_FINISHED', 'JOB_NOT_FOUND'));
  await settleAnalysis(ctx, { jobId });
  const deleted = await deleteJob(ctx, { jobId }).catch(unless('JOB_NOT_FOUND'));
  await eraseHistory(ctx, { stream, userId });
  return deleted?.position ?? START;
}

/** The bill names every job that ever was, and stays. */
async function* jobsOf(store: EventStore, userId: string): AsyncGenerator<string> {
  const read = await store.read(billingStream(userId));
  if (read.status !== 'found') return;
  for (const { data } of eventsOf(read.events, 'AnalysisReserved')) yield data.jobId;
}

const PAGE = 500;

async function* sessionsOf(store: EventStore, userId: string, within?: Stretch): AsyncGenerator<string> {
  for await (const { data } of every(store, 'SessionStarted', within)) {
    if (data.userId === userId) yield data.sessionId;
  }
}

async function* every<Type extends EventType>(store: EventStore, type: Type, within?: Stretch): AsyncGenerator<Recorded<EventOf<Type>>> {
  for (let after = within?.after ?? START; ; ) {
    const page = await store.readAll({ after, limit: PAGE, filter: { types: [type] } });
    for (const event of page.events) {
      if (within && event.metadata.at > within.until) return;
      if (isOf(event, type)) yield event;
    }
    if (page.end) return;
    after = page.next;
  }
}

/** Answers that were kept for repeats of a request: they may hold anything that the user was shown. */
async function eraseKeptAnswers(store: EventStore, userId: string, within?: Stretch): Promise<Position> {
  for await (const { stream, metadata } of every(store, 'RequestAccepted', within)) {
    if (isActorOf(metadata.actor, userId)) await store.delete(stream, { mode: 'hard' });
  }
  return START;
}

async function forEach(ids: AsyncIterable<string>, erase: (id: string) => Promise<Position>): Promise<Position> {
  // All ids first: erasing changes the list that they are read from.
  const all: string[] = [];
  for await (const id of ids) all.push(id);
  let last: Position = START;
  for (const id of all) {
    const position = await erase(id);
    if (position > last) last = position;
  }
  return last;
}

function unless(...codes: readonly string[]): (error: unknown) => null {
  return (error) => {
    if (error instanceof DomainError && codes.includes(error.code)) return null;
    throw error;
  };
}

/** One channel of one socket: access check, missed changes, then live changes. */
import { setImmediate } from 'node:timers/promises';
import { type Position, START } from '../../eventStore/eventStore.ts';
import { ADMIN_FIGURES } from '../../model/adminLists.ts';
import { getBilling } from '../../projections/billing.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJob, type JobDocument } from '../../projections/jobs.ts';
import type { Change, StoredDocument } from '../../readModels/readModels.ts';
import { adminStanding } from '../auth/adminRight.ts';
import { mayAsOwner } from '../auth/policy.ts';
import type { Caller } from '../request/caller.ts';
import type { FollowedModel, Hub, RealtimeDeps, Subscriber } from './hub.ts';
import type { Outbox } from './outbox.ts';
import {
  actionRows,
  adminRow,
  billingRow,
  exportRow,
  frameOf,
  jobRow,
  noticeRow,
  type Row,
  reworkRows,
  topicOf,
} from './topics.ts';

/** Maximum number of live rows queued while missed ones are being sent. */
const MAX_WAITING = 10_000;

/**
 * Maximum number of missed rows. With more, the web app would load its list again in any case
 * (`web/app/rowsByFrame.ts`).
 */
export const MAX_MISSED = 1_000;
/** Missed rows that are read and sent in one go. */
export const MISSED_BATCH = 25;

/**
 * More was missed than is sent, or this user was sent too much in the last seconds: the client has to load the list
 * again.
 */
export class TooMuchMissed extends Error {}

/** `anothers`: it exists, and is another user's. For the security log alone. */
export type ChannelRefused = {
  readonly refused: 'FORBIDDEN' | 'ADMIN_SESSION_EXPIRED' | 'JOB_NOT_FOUND';
  readonly anothers?: boolean;
};
export type OpenChannel = {
  readonly topic: string;
  readonly model: FollowedModel;
  /** Rows changed after `since`, by position. */
  readonly missed: (since: Position) => AsyncIterable<Row>;
};

/** `kind`: what it shows of the account, which decides who may read it. */
type AccountChannel = {
  readonly kind: 'job' | 'action' | 'account' | 'bill';
  readonly topic: (userId: string) => string;
  readonly model: FollowedModel;
  readonly missed: (deps: RealtimeDeps, since: Position, userId: string) => AsyncIterable<Row>;
};

const rowsIn = (model: FollowedModel, rowsOf: (change: Change, now: string) => readonly Row[]) => ({
  model,
  missed: (deps: RealtimeDeps, since: Position, userId: string) =>
    missedRows(deps, since, model, (change) => rowsOf(change, deps.now()), { userId }),
});

/** The channels of an account; the others are checked where they are opened. */
const ACCOUNT_CHANNELS: Readonly<Record<string, AccountChannel>> = {
  jobs: { kind: 'job', topic: topicOf.jobs, ...rowsIn('jobs', (change, now) => [jobRow(change, now)]) },
  reworks: { kind: 'action', topic: topicOf.reworks, ...rowsIn('reworks', reworkRows) },
  exports: {
    kind: 'account',
    topic: topicOf.exports,
    ...rowsIn('accountExports', (change, now) => [exportRow(change, now)]),
  },
  billing: {
    kind: 'bill',
    topic: topicOf.billing,
    model: 'billing',
    missed: (deps, since, userId) => missedBilling(deps, since, userId),
  },
};

export const isAdminChannel = (channel: string): boolean => channel.startsWith('admin:');

/** @returns the reason if the user may not open it; another user's data counts as missing */
export async function openChannel(
  deps: RealtimeDeps,
  hub: Hub,
  caller: Caller,
  channel: string,
): Promise<OpenChannel | ChannelRefused> {
  const { userId } = caller;
  const own = ACCOUNT_CHANNELS[channel];
  if (own) {
    // What the caller owns but may not read this way exists for them, unlike another user's.
    if (!mayAsOwner(caller, 'read', { kind: own.kind, ownerId: userId })) return { refused: 'FORBIDDEN' };
    return { topic: own.topic(userId), model: own.model, missed: (since) => own.missed(deps, since, userId) };
  }
  if (isAdminChannel(channel)) {
    // Like admin routes, never with an API key.
    const standing = caller.apiKey ? 'none' : await adminStanding(deps, caller);
    if (standing !== 'admin') return { refused: standing === 'expired' ? 'ADMIN_SESSION_EXPIRED' : 'FORBIDDEN' };
    return channel === 'admin:jobs'
      ? { topic: topicOf.adminJobs, model: 'jobs', missed: (since) => missedAdminRows(deps, hub, since) }
      : { topic: topicOf.adminChanges, model: 'jobs', missed: missedNotices };
  }
  const jobId = channel.slice('actions:'.length);
  const job = await getJob(deps.readModels, jobId);
  if (!job || !mayAsOwner(caller, 'read', { kind: 'action', ownerId: job.data.userId }))
    return { refused: 'JOB_NOT_FOUND', anothers: job !== null };
  const { access } = job.data;
  hub.setAccess(jobId, access);
  return { topic: topicOf.actions(jobId), model: 'boards', missed: (since) => missedActions(deps, since, job) };
}

/**
 * From the moment it is called, no change is lost: changes that arrive while missed rows are sent are queued, and sent
 * afterward unless already covered. Resolves with the channel's position before anything live is sent; `goLive` starts
 * the live rows.
 */
export async function startSubscription(
  deps: RealtimeDeps,
  hub: Hub,
  channel: string,
  open: OpenChannel,
  since: Position | undefined,
  sink: Outbox,
): Promise<{ readonly position: Position; goLive(): void; stop(): void }> {
  let waiting: { readonly row: Row; readonly frame: Buffer }[] | null = [];
  const sent = new Map<string, Position>();
  const subscriber: Subscriber = {
    deliver: (row, frame) => {
      if (waiting === null) sink.send(frame);
      else if (waiting.push({ row, frame }) > MAX_WAITING) sink.tooSlow();
    },
  };
  const stop = hub.subscribe(open.topic, channel, subscriber);
  try {
    const position = (await deps.readModels.servedPosition(open.model)) ?? START;
    if (since !== undefined) {
      for await (const row of open.missed(since)) {
        if (sink.closed) break;
        await sink.sendPaced(frameOf(channel, row));
        sent.set(row.rowId, row.position);
      }
    }
    const goLive = (): void => {
      const late = waiting ?? [];
      waiting = null;
      for (const { row, frame } of late) if (row.position > (sent.get(row.rowId) ?? since ?? '')) sink.send(frame);
    };
    return { position, goLive, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * The channel with its missed rows in batches, between which other requests are handled. `admit` is called before each
 * batch is read.
 * @returns a channel whose `missed` throws TooMuchMissed, and whatever `admit` throws
 */
export function inBatches(open: OpenChannel, admit: () => Promise<void>): OpenChannel {
  async function* missed(since: Position): AsyncGenerator<Row> {
    await admit();
    let count = 0;
    for await (const row of open.missed(since)) {
      if (count === MAX_MISSED) throw new TooMuchMissed();
      if (count > 0 && count % MISSED_BATCH === 0) {
        await setImmediate();
        await admit();
      }
      count += 1;
      yield row;
    }
  }
  return { ...open, missed };
}

/** For rows that follow from the current documents: their current state, and which of them are gone. */
async function* missedRows(
  deps: RealtimeDeps,
  since: Position,
  model: FollowedModel,
  rowsOf: (change: Change) => readonly Row[],
  where?: { readonly userId: string },
): AsyncGenerator<Row> {
  const filter = where ? { where } : {};
  // Without listing them all first.
  if ((await deps.readModels.countChanged(model, { after: since, limit: MAX_MISSED + 1, ...filter })) > MAX_MISSED)
    throw new TooMuchMissed();
  const ended = new AbortController();
  const changes = deps.readModels.watch({
    models: [model],
    after: since,
    signal: ended.signal,
    onCaughtUp: () => ended.abort(),
    ...filter,
  });
  try {
    for await (const change of changes) yield* rowsOf({ ...change, old: null });
  } finally {
    ended.abort();
  }
}

async function* missedAdminRows(deps: RealtimeDeps, { ownerEmails }: Hub, since: Position): AsyncGenerator<Row> {
  for await (const row of missedRows(deps, since, 'jobs', (change) => [jobRow(change, deps.now())])) {
    const userId = row.new?.user_id;
    const email =
      typeof userId === 'string'
        ? await new Promise<string | null>((resolve) => ownerEmails.ask(userId, resolve))
        : null;
    yield adminRow(row, email);
  }
}

/** Which figures changed while nobody listened is not known. */
async function* missedNotices(since: Position): AsyncGenerator<Row> {
  yield noticeRow(ADMIN_FIGURES, since);
}

async function* missedBilling(deps: RealtimeDeps, since: Position, userId: string): AsyncGenerator<Row> {
  const document = await getBilling(deps.readModels, userId);
  if (document && document.position > since) yield billingRow(document, deps.now(), deps.config);
}

/** It is no longer known which items changed, so all are sent in their latest state. */
async function* missedActions(
  deps: RealtimeDeps,
  since: Position,
  { id: jobId, data, position }: StoredDocument<JobDocument>,
): AsyncGenerator<Row> {
  const { access } = data;
  const board = await getBoard(deps.readModels, jobId);
  // Items now shown in full may have been unlocked since.
  const newest = board && access === 'full' && position > board.position ? position : board?.position;
  if (!board || newest === undefined || newest <= since) return;
  yield* actionRows(
    { model: 'boards', id: jobId, kind: 'UPDATE', data: board.data, old: null, position: newest },
    access,
  );
}

/**
 * Follows the read models for all sockets of the process: one watch per model; each change is serialized once per topic
 * and delivered to its subscribers.
 */
import { setMaxListeners } from 'node:events';
import type { JobAccess } from '../../model/jobs.ts';
import type { AccountDocument } from '../../projections/accounts.ts';
import type { OfBilling } from '../../projections/billing.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJob, type JobDocument } from '../../projections/jobs.ts';
import type { SessionDocument } from '../../projections/sessions.ts';
import type { SharesDocument } from '../../projections/shares.ts';
import type { Change, Position } from '../../readModels/readModels.ts';
import { WORK_ITEMS } from '../../work/items.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { withProgress } from '../jobs/liveProgress.ts';
import { createAdminNotices } from './adminNotices.ts';
import { createOwnerEmails, type OwnerEmails } from './ownerEmails.ts';
import {
  actionRows,
  adminRow,
  billingRow,
  exportRow,
  frameOf,
  jobRow,
  jobTopics,
  type Row,
  reworkRows,
  topicOf,
  unlockedRows,
  userOf,
} from './topics.ts';

export type RealtimeDeps = Pick<
  HttpDeps,
  | 'readModels'
  | 'store'
  | 'now'
  | 'config'
  | 'log'
  | 'metrics'
  | 'liveProgress'
  | 'payments'
  | 'presence'
  | 'userPresence'
  | 'securityLog'
>;

export type Subscriber = { deliver(row: Row, frame: Buffer): void };

/** Callbacks for changes of a connection's session. */
type SessionFollower = {
  readonly sessionId: string;
  readonly userId: string;
  sessionChanged(accessExpiresAt: string): void;
  sessionEnded(): void;
  /** The account, its rights or its second factor changed. */
  accountChanged(): void;
};

/** Callbacks for changes of a visitor's shared link. */
type ShareFollower = {
  readonly jobId: string;
  readonly ownerId: string;
  sharesChanged(shares: SharesDocument['shares']): void;
  jobChanged(job: JobDocument): void;
  /** The audit or its account was deleted. */
  gone(): void;
};

export type Hub = {
  subscribe(topic: string, channel: string, subscriber: Subscriber): () => void;
  readonly ownerEmails: OwnerEmails;
  /** Sets what the subscribers of a job's items may see. */
  setAccess(jobId: string, access: JobAccess): void;
  follow(follower: SessionFollower): () => void;
  followShare(follower: ShareFollower): () => void;
  /** Number of the user's connections. */
  countOf(userId: string): number;
  close(): Promise<void>;
};

type Topic = { readonly channel: string; readonly subscribers: Set<Subscriber> };

const MODELS = [
  'jobs',
  'boards',
  'reworks',
  'accountExports',
  'billing',
  'sessions',
  'accounts',
  'apiKeys',
  'shares',
] as const;
/** Models that channels can be built from. */
export type FollowedModel = (typeof MODELS)[number];

/** Followed only to notify admins. */
const ADMIN_MODELS = ['jobIndex', 'prompts', WORK_ITEMS] as const;

const RETRY_MS = 1_000;

export function createHub(deps: RealtimeDeps): Hub {
  const access = new Map<string, JobAccess>();
  const bySession = new Map<string, Set<SessionFollower>>();
  const byUser = new Map<string, Set<SessionFollower>>();
  const visitsOfJob = new Map<string, Set<ShareFollower>>();
  const visitsOfOwner = new Map<string, Set<ShareFollower>>();
  const ownerEmails = createOwnerEmails(deps);
  const ended = new AbortController();
  // One for each of the watches, which are more than Node takes for a leak.
  setMaxListeners(0, ended.signal);
  const topics = openTopics(deps.metrics);
  const { send } = topics;

  function sendToAdmins(row: Row, userId: string | undefined): void {
    // The owner of a deleted job may be unknown.
    if (userId === undefined) send(topicOf.adminJobs, row);
    else ownerEmails.ask(userId, (email) => send(topicOf.adminJobs, adminRow(row, email)));
  }

  const notices = createAdminNotices((row) => send(topicOf.adminChanges, row));
  const notify = (change: Change): void => (topics.has(topicOf.adminChanges) ? notices.take(change) : undefined);

  const rows = createRows(deps, topics, access);
  const take: Readonly<Record<FollowedModel, (change: Change) => void>> = {
    ...rows,
    jobs: (change) => {
      rows.jobs(change, sendToAdmins);
      for (const visit of [...(visitsOfJob.get(change.id) ?? [])]) {
        if (change.data === null) visit.gone();
        else visit.jobChanged(change.data as JobDocument);
      }
    },
    sessions: (change) => {
      const session = change.data as SessionDocument | null;
      for (const follower of [...(bySession.get(change.id) ?? [])]) {
        if (session) follower.sessionChanged(session.accessExpiresAt);
        else follower.sessionEnded();
      }
    },
    // Using a key changes it too; only its end matters to a socket.
    apiKeys: (change) => {
      if (change.data === null) for (const follower of [...(bySession.get(change.id) ?? [])]) follower.sessionEnded();
    },
    accounts: (change) => {
      notify(change);
      ownerEmails.changed(change);
      const account = change.data as AccountDocument | null;
      for (const follower of [...(byUser.get(change.id) ?? [])]) {
        if (account?.sign_in_enabled) follower.accountChanged();
        else follower.sessionEnded();
      }
      if (account === null) for (const visit of [...(visitsOfOwner.get(change.id) ?? [])]) visit.gone();
    },
    shares: (change) => {
      const { shares } = (change.data as SharesDocument | null) ?? { shares: [] };
      for (const visit of [...(visitsOfJob.get(change.id) ?? [])]) visit.sharesChanged(shares);
    },
  };

  const unlisten = deps.liveProgress?.listen(({ jobId }) => {
    if (topics.isEmpty()) return;
    getJob(deps.readModels, jobId)
      .then((job) => job && take.jobs({ model: 'jobs', kind: 'UPDATE', old: null, ...job }))
      .catch((error: unknown) =>
        deps.log.warn({ err: error, jobId }, 'the progress of a job was not sent; the next one will be'),
      );
  });
  const loops = [
    ...MODELS.map((model) => followModels(deps, [model], take[model], ended.signal)),
    followModels(deps, ADMIN_MODELS, notify, ended.signal),
  ];

  return {
    subscribe: (name, channel, subscriber) =>
      topics.subscribe(name, channel, subscriber, () => {
        if (name.startsWith(topicOf.actions(''))) access.delete(name.slice(topicOf.actions('').length));
      }),
    ownerEmails,
    setAccess: (jobId, value) => void access.set(jobId, value),
    follow: (follower) => {
      const unindex = [put(bySession, follower.sessionId, follower), put(byUser, follower.userId, follower)];
      return () => {
        for (const remove of unindex) remove();
      };
    },
    followShare: (follower) => {
      const unindex = [put(visitsOfJob, follower.jobId, follower), put(visitsOfOwner, follower.ownerId, follower)];
      return () => {
        for (const remove of unindex) remove();
      };
    },
    countOf: (userId) => byUser.get(userId)?.size ?? 0,
    close: async () => {
      ended.abort();
      notices.close();
      unlisten?.();
      await Promise.all(loops);
    },
  };
}

/** What each change sends to which topics. */
function createRows(deps: RealtimeDeps, topics: ReturnType<typeof openTopics>, access: Map<string, JobAccess>) {
  const { send } = topics;
  return {
    jobs(change: Change, sendToAdmins: (row: Row, userId: string | undefined) => void): void {
      const names = jobTopics(change).filter((name) => topics.has(name));
      if (names.length > 0) {
        const row = jobRow(withProgress(change, deps.liveProgress), deps.now());
        for (const name of names) {
          if (name === topicOf.adminJobs) sendToAdmins(row, userOf(change));
          else send(name, row);
        }
      }
      const before = access.get(change.id);
      if (change.data && before) access.set(change.id, (change.data as JobDocument).access);
      if (before === 'preview' && access.get(change.id) === 'full')
        void publishUnlocked(deps, change, (row) => send(topicOf.actions(change.id), row));
    },
    boards(change: Change): void {
      const name = topicOf.actions(change.id);
      if (topics.has(name)) for (const row of actionRows(change, access.get(change.id) ?? 'preview')) send(name, row);
    },
    reworks(change: Change): void {
      const name = topicOf.reworks(userOf(change) ?? '');
      if (topics.has(name)) for (const row of reworkRows(change)) send(name, row);
    },
    accountExports(change: Change): void {
      send(topicOf.exports(change.id), exportRow(change, deps.now()));
    },
    billing({ id, position, data }: Change): void {
      const name = topicOf.billing(id);
      const bill = data as OfBilling | null;
      // Bills are never deleted; reservations are.
      if (bill?.kind === 'bill' && topics.has(name))
        send(name, billingRow({ id, position, data: bill }, deps.now(), deps.config));
    },
  };
}

/** Subscribers by topic. */
function openTopics(metrics: RealtimeDeps['metrics']) {
  const topics = new Map<string, Topic>();
  return {
    has: (name: string): boolean => topics.has(name),
    isEmpty: (): boolean => topics.size === 0,
    send(name: string, row: Row): void {
      const topic = topics.get(name);
      if (!topic) return;
      const frame = frameOf(topic.channel, row);
      for (const subscriber of topic.subscribers) subscriber.deliver(row, frame);
      metrics.messagesSent(topic.subscribers.size);
    },
    /** `left`: called when the last subscriber has left. */
    subscribe(name: string, channel: string, subscriber: Subscriber, left: () => void): () => void {
      const topic = topics.get(name) ?? { channel, subscribers: new Set() };
      topics.set(name, topic);
      topic.subscribers.add(subscriber);
      return () => {
        topic.subscribers.delete(subscriber);
        if (topic.subscribers.size > 0 || topics.get(name) !== topic) return;
        topics.delete(name);
        left();
      };
    },
  };
}

/** Sends the remaining items to viewers of a preview as soon as it is unlocked. */
async function publishUnlocked(
  deps: RealtimeDeps,
  { id, position }: Pick<Change, 'id' | 'position'>,
  send: (row: Row) => void,
): Promise<void> {
  try {
    const board = await getBoard(deps.readModels, id);
    if (board) for (const row of unlockedRows(board, position)) send(row);
  } catch (error) {
    deps.log.warn({ err: error, jobId: id }, 'unlocked items were not sent; the page loads them with its next request');
  }
}

function put<T>(index: Map<string, Set<T>>, key: string, value: T): () => void {
  const values = index.get(key) ?? new Set();
  index.set(key, values.add(value));
  return () => {
    values.delete(value);
    if (values.size === 0 && index.get(key) === values) index.delete(key);
  };
}

/** Follows models until aborted; after a failure, continues after the last change received, or where it began. */
async function followModels(
  deps: RealtimeDeps,
  models: readonly string[],
  take: (change: Change) => void,
  signal: AbortSignal,
): Promise<void> {
  let after: Position | undefined;
  const begun = servedPosition(deps, models);
  while (!signal.aborted) {
    try {
      for await (const change of deps.readModels.watch({ models, signal, ...(after === undefined ? {} : { after }) })) {
        after = change.position;
        take(change);
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      deps.log.error({ err: error, models }, 'the watch for sockets failed; restarting it');
      await pause(RETRY_MS, signal);
      after ??= await begun;
    }
  }
}

/** Up to where all of the models are served; undefined if that is not known now. */
async function servedPosition({ readModels }: RealtimeDeps, models: readonly string[]): Promise<Position | undefined> {
  const served = await Promise.all(models.map((model) => readModels.servedPosition(model).catch(() => null)));
  const [lowest] = served.includes(null) ? [] : served.toSorted();
  return lowest ?? undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

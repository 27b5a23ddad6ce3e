/** One socket: its user, what it may send and how fast, its subscriptions, and when it is closed. */
import type { WebSocket } from 'ws';
import { isApiKey } from '../../commands/apiKeys/apiKeyTokens.ts';
import type { JobAccess } from '../../model/jobs.ts';
import { isAnalystScope } from '../../model/programs.ts';
import { CLOSE } from '../../model/socket.ts';
import { isDisabled } from '../auth/accountOf.ts';
import { adminStanding } from '../auth/adminRight.ts';
import { administersUntil } from '../auth/adminSession.ts';
import { isPlanFor } from '../auth/planFeature.ts';
import { authenticate } from '../auth/session.ts';
import { ClientMessage } from '../contract/realtime.ts';
import { limitIn } from '../dispatch/securityRefusals.ts';
import type { Caller } from '../request/caller.ts';
import { HttpError } from '../request/errors.ts';
import { jsonFault } from '../request/json.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import { NotShownYet } from '../routing/afterWrite.ts';
import type { SecurityEventName } from '../usage/securityLog.ts';
import type { Hub, RealtimeDeps } from './hub.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import {
  type ChannelRefused,
  inBatches,
  isAdminChannel,
  openChannel,
  startSubscription,
  TooMuchMissed,
} from './subscription.ts';
import { openVisit, type Visit } from './visit.ts';

export type RealtimeLimits = {
  /** Time limit for the first message, which must be `auth` or `visit`. */
  readonly authMs: number;
  readonly pingMs: number;
  /** How often the time limit of admin channels is checked. */
  readonly adminCheckMs: number;
  readonly messagesPerSecond: number;
  /** Messages received and not yet handled. */
  readonly waiting: number;
  readonly socketsPerUser: number;
  readonly subscriptions: number;
  /** Unsent bytes at which a client counts as too slow. */
  readonly maxBuffered: number;
  /** Unauthenticated sockets: in total, and per address. */
  readonly unauthenticated: number;
  readonly unauthenticatedOfAddress: number;
  /** Visitors of shared links per address. */
  readonly visitorsOfAddress: number;
  /** Time limit for the closing handshake, after which the socket is terminated. */
  readonly closeMs: number;
};

export const REALTIME_LIMITS: RealtimeLimits = {
  authMs: 5_000,
  pingMs: 30_000,
  adminCheckMs: 1_000,
  messagesPerSecond: 20,
  waiting: 40,
  socketsPerUser: 5,
  subscriptions: 100,
  maxBuffered: 1024 * 1024,
  unauthenticated: 500,
  unauthenticatedOfAddress: 20,
  // Allows for a whole office or lecture hall opening one link.
  visitorsOfAddress: 500,
  closeMs: 2_000,
};

export type Connection = {
  /** Called every `pingMs`: closes the socket if the last ping was not answered or the session has expired. */
  tick(): void;
  /** Called every `adminCheckMs`: ends the admin channels of a session that can no longer administer. */
  checkAdmin(): void;
  close(code: number, reason: string): void;
  /** It has authenticated, or shown a valid link. */
  readonly authenticated: boolean;
  readonly visiting: boolean;
};

type Surroundings = {
  readonly deps: RealtimeDeps;
  readonly hub: Hub;
  readonly limits: RealtimeLimits;
  readonly limiter: RateLimiter;
  readonly address: string;
  /** Number of visitors at this address. */
  readonly visitors: () => number;
};

export function openConnection(ws: WebSocket, surroundings: Surroundings, onClose: () => void): Connection {
  const { deps, limits } = surroundings;
  const outbox = createOutbox(ws, limits);
  const session = createSocketSession(surroundings, outbox);
  const allowed = messageAllowance(limits.messagesPerSecond);
  const authTimer = setTimeout(
    () => session.caller || session.visiting || outbox.close(CLOSE.unauthorized, 'Not authenticated in time'),
    limits.authMs,
  );
  let alive = true;
  let work: Promise<void> = Promise.resolve();
  let waiting = 0;

  /** Pings and pongs count, too: each costs as much as a message, and a few bytes. */
  function isRefused(): boolean {
    if (!outbox.closed && allowed()) return false;
    refuse();
    return true;
  }

  function refuse(): void {
    outbox.close(CLOSE.tooManyMessages, 'Too many messages');
    // Nothing more is taken from the network: the time limit of the closing handshake ends the connection.
    ws.pause();
  }

  function receive(text: string): void {
    const message = parseMessage(text);
    if (message?.type === 'ping') outbox.sendMessage({ type: 'pong' });
    else if (message?.type === 'pong') return;
    else if (waiting >= limits.waiting) refuse();
    else enqueue(message);
  }

  /**
   * Messages are processed in order, one at a time: an unsubscribe never overtakes its subscribe, nor a subscribe the
   * log-in.
   */
  function enqueue(message: ClientMessage | null): void {
    waiting += 1;
    work = work
      .then(() => session.act(message))
      .catch(failed)
      .finally(() => {
        waiting -= 1;
      });
  }

  function failed(error: unknown): void {
    deps.log.error({ err: error }, 'a socket message failed unexpectedly');
    outbox.sendMessage({ type: 'error', code: 'UNEXPECTED' });
  }

  ws.on('message', (data, isBinary) => {
    alive = true;
    if (isRefused()) return;
    if (isBinary) outbox.close(1003, 'Text only');
    else receive(String(data));
  });
  ws.on('ping', isRefused);
  ws.on('pong', () => {
    alive = true;
    isRefused();
  });
  ws.on('error', () => ws.terminate());
  ws.on('close', () => {
    clearTimeout(authTimer);
    session.end();
    onClose();
  });

  return {
    tick: () => {
      session.check();
      if (session.expired()) return outbox.close(CLOSE.unauthorized, 'Session ended');
      if (!alive) return ws.terminate();
      alive = false;
      ws.ping();
      outbox.sendMessage({ type: 'ping' });
    },
    // An error is no loss: it is tried again within a second.
    checkAdmin: () => void session.checkAdmin().catch(() => undefined),
    close: outbox.close,
    get authenticated() {
      return session.caller !== null || session.visiting;
    },
    get visiting() {
      return session.visiting;
    },
  };
}

type SocketSession = {
  readonly caller: Caller | null;
  readonly visiting: boolean;
  /** For a visit: checks whether its link still opens. For a user: records that they are active. */
  check(): void;
  checkAdmin(): Promise<void>;
  expired(): boolean;
  /** Null for a message that is not part of the protocol. */
  act(message: ClientMessage | null): Promise<void>;
  end(): void;
};

/** The state of one socket: its user and subscriptions, or its visit. The first message must be `auth` or `visit`. */
function createSocketSession(surroundings: Surroundings, outbox: Outbox): SocketSession {
  const { deps, hub, limits } = surroundings;
  const subscriptions = new Map<string, () => void>();
  let caller: Caller | null = null;
  let visit: Visit | null = null;
  let expiresAt = '';
  /** As last read; what the admin did since may have put it off. */
  let adminUntil = '';
  /** False after a change of the account, until its right and the session's proofs are read again. */
  let isStandingKnown = true;
  let unfollow = (): void => undefined;
  const refuse = (): void => outbox.close(CLOSE.unauthorized, 'Not authenticated');
  const note = (event: SecurityEventName, userId: string | undefined): void =>
    deps.securityLog.note(event, surroundings.address, { userId, route: 'socket' });

  async function logIn(token: string): Promise<void> {
    if (caller || visit) return outbox.sendMessage({ type: 'error', code: 'ALREADY_AUTHENTICATED' });
    const known = await authenticate(deps, token);
    // An analyst's key only gives access to reports and events.
    const isAnalyst = known?.apiKey !== undefined && isAnalystScope(known.apiKey.scope);
    if (!known || isAnalyst) {
      if (isApiKey(token)) note('api_key_refused', known?.userId);
      return refuse();
    }
    if (await isDisabled(deps, known.userId)) {
      note('disabled_account_refused', known.userId);
      return refuse();
    }
    // A socket that has closed meanwhile would be counted for good.
    if (!(await isPlanFor(deps, known)) || outbox.closed) return refuse();
    if (hub.countOf(known.userId) >= limits.socketsPerUser)
      return outbox.close(CLOSE.tooManySockets, 'Too many connections');
    caller = known;
    expiresAt = known.accessExpiresAt;
    unfollow = hub.follow({
      sessionId: known.sessionId,
      userId: known.userId,
      sessionChanged: (accessExpiresAt) => {
        expiresAt = accessExpiresAt;
      },
      sessionEnded: () => outbox.close(CLOSE.unauthorized, 'Session ended'),
      accountChanged: () => {
        isStandingKnown = false;
        // An error is no loss: it is tried again within a second.
        void checkAdmin().catch(() => undefined);
      },
    });
    // The session may have ended between authentication and following it.
    if (!(await authenticate(deps, token))) return refuse();
    outbox.sendMessage({ type: 'ready' });
  }

  async function startVisit(token: string): Promise<void> {
    if (caller || visit) return outbox.sendMessage({ type: 'error', code: 'ALREADY_AUTHENTICATED' });
    visit = await newVisit(surroundings, outbox, token);
  }

  async function subscribe(known: Caller, channel: string, since: string | undefined): Promise<void> {
    if (subscriptions.size >= limits.subscriptions && !subscriptions.has(channel))
      return outbox.sendMessage({ type: 'error', code: 'TOO_MANY_SUBSCRIPTIONS', channel });
    unsubscribe(channel);
    const open = await openChannel(deps, hub, known, channel);
    if ('refused' in open) {
      const event = isAdminChannel(channel) ? 'admin_refused' : open.anothers ? 'access_refused' : null;
      if (event)
        deps.securityLog.note(event, surroundings.address, {
          userId: known.userId,
          code: open.refused,
          route: 'socket',
        });
      return outbox.sendMessage({ type: 'error', code: open.refused, channel });
    }
    const counted = inBatches(open, () => countMissed(surroundings, known));
    const started = await startSubscription(deps, hub, channel, counted, since, outbox).catch(nullIfTooMuch);
    if (started === null) return outbox.sendMessage({ type: 'error', code: 'TOO_MUCH_MISSED', channel });
    const { position, goLive, stop } = started;
    if (outbox.closed) return stop();
    subscriptions.set(channel, stop);
    if (isAdminChannel(channel)) {
      // The right may have been withdrawn while the channel was being opened.
      const again = await openChannel(deps, hub, known, channel);
      if ('refused' in again) return endAdminChannels(again.refused);
    }
    outbox.sendMessage({ type: 'subscribed', channel, position });
    goLive();
  }

  async function checkAdmin(): Promise<void> {
    if (!caller || ![...subscriptions.keys()].some(isAdminChannel)) return;
    if (!isStandingKnown) await checkStanding(caller);
    if (adminUntil > deps.now()) return;
    adminUntil = await administersUntil(deps, caller);
    if (adminUntil <= deps.now()) endAdminChannels('ADMIN_SESSION_EXPIRED');
  }

  async function checkStanding(known: Caller): Promise<void> {
    isStandingKnown = true;
    try {
      const standing = await adminStanding(deps, known);
      if (standing !== 'admin') endAdminChannels(standing === 'expired' ? 'ADMIN_SESSION_EXPIRED' : 'FORBIDDEN');
    } catch (error) {
      isStandingKnown = false;
      throw error;
    }
  }

  function endAdminChannels(code: ChannelRefused['refused']): void {
    for (const channel of [...subscriptions.keys()].filter(isAdminChannel)) {
      unsubscribe(channel);
      outbox.sendMessage({ type: 'error', code, channel });
    }
  }

  function unsubscribe(channel: string): void {
    subscriptions.get(channel)?.();
    subscriptions.delete(channel);
  }

  return {
    get caller() {
      return caller;
    },
    get visiting() {
      return visit !== null;
    },
    check: () => {
      visit?.check();
      if (caller) deps.userPresence.note(caller.userId);
    },
    checkAdmin,
    expired: () => caller !== null && expiresAt <= deps.now(),
    act: async (message) => {
      if (outbox.closed) return;
      if (message?.type === 'auth') return logIn(message.token);
      if (message?.type === 'visit') return startVisit(message.token);
      if (!caller && !visit) return refuse();
      if (caller && message?.type === 'subscribe') await subscribe(caller, message.channel, message.since);
      else if (caller && message?.type === 'unsubscribe') unsubscribe(message.channel);
      else outbox.sendMessage({ type: 'error', code: 'INVALID_MESSAGE' });
    },
    end: () => {
      visit?.stop();
      unfollow();
      for (const channel of [...subscriptions.keys()]) unsubscribe(channel);
    },
  };
}

/** All sockets of a user count together. @throws TooMuchMissed */
async function countMissed({ deps, limiter, address }: Surroundings, { userId }: Caller): Promise<void> {
  try {
    await limiter.count('missed', userId);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    deps.securityLog.note('rate_limited', address, { userId, limit: limitIn(error), route: 'socket' });
    throw new TooMuchMissed();
  }
}

function nullIfTooMuch(error: unknown): null {
  if (error instanceof TooMuchMissed) return null;
  throw error;
}

/** Null if it is not a message of the protocol. */
function parseMessage(text: string): ClientMessage | null {
  if (jsonFault(text)) return null;
  try {
    return ClientMessage.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function messageAllowance(perSecond: number): () => boolean {
  let windowStart = performance.now();
  let count = 0;
  return () => {
    const now = performance.now();
    if (now - windowStart >= 1_000) {
      windowStart = now;
      count = 0;
    }
    count += 1;
    return count <= perSecond;
  };
}

/** Null: the socket is closed, as the link opens nothing or too many are open. */
async function newVisit(surroundings: Surroundings, outbox: Outbox, token: string): Promise<Visit | null> {
  const refuse = (code: number, reason: string): null => {
    outbox.close(code, reason);
    return null;
  };
  if (surroundings.visitors() >= surroundings.limits.visitorsOfAddress)
    return refuse(CLOSE.tooManySockets, 'Too many connections');
  const onEnded = (): void => {
    outbox.sendMessage({ type: 'ended' });
    outbox.close(CLOSE.gone, 'This link opens nothing');
  };
  const onAccess = (access: JobAccess): void =>
    outbox.sendMessage({ type: 'visiting', isPreview: access === 'preview' });
  try {
    const visit = await openVisit(surroundings, token, { onEnded, onAccess });
    if (!visit) onEnded();
    else if (outbox.closed) visit.stop();
    else onAccess(visit.access());
    return visit;
  } catch (error) {
    if (error instanceof NotShownYet) return refuse(CLOSE.notYet, 'Not shown yet');
    if (!(error instanceof HttpError)) throw error;
    surroundings.deps.securityLog.note('rate_limited', surroundings.address, {
      limit: limitIn(error),
      route: 'socket',
    });
    return refuse(CLOSE.tooManyMessages, 'Too many requests');
  }
}

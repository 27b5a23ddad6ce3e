/** Rate limits, counted in this process's memory; an email address is kept there only as its hash. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { normaliseEmail } from '../../model/emailAddress.ts';
import { type HttpError, tooMany } from './errors.ts';

type Limit = { readonly points: number; readonly seconds: number };

export type RateLimits = {
  /** API requests per address. */
  readonly address: Limit;
  /** API requests per logged-in user. */
  readonly user: Limit;
  /** API requests per API key. */
  readonly apiKey: Limit;
  /** Sign-ups per address. */
  readonly signup: Limit;
  /** Requests for password reset emails per address. */
  readonly reset: Limit;
  /** Uses of links in emails per address. */
  readonly recovery: Limit;
  /** Refreshes per session. A browser refreshes about once an hour. */
  readonly refresh: Limit;
  /**
   * Reads of a whole report or file per user: each costs as much as the report is large, however little is shown of it.
   */
  readonly reports: Limit;
  /** Changes of email preferences per user. */
  readonly preferences: Limit;
  /** Batches of missed rows that a user's sockets get, also empty ones. */
  readonly missed: Limit;
  /** Submissions per user. */
  readonly submit: Limit;
  /** Unknown tokens of shared links per address. */
  readonly shareMiss: Limit;
  /** Events sent by pages of shared previews, per address. */
  readonly beacon: Limit;
  /** Verifications per user: each sends requests to a site. */
  readonly verify: Limit;
  /** Texts regenerated per user. */
  readonly generate: Limit;
  /** Discount codes tried per address. */
  readonly discount: Limit;
  /** Purchases started per user: someone testing stolen cards starts many. */
  readonly purchase: Limit;
  /** Syncs with the payment provider per user. */
  readonly sync: Limit;
  /** Reports over the whole log per admin, including their keys. */
  readonly report: Limit;
  /** Exports of events begun or resumed per admin, including their keys. */
  readonly eventExport: Limit;
  /** Refused deliveries to webhooks per address; beyond this, its deliveries are read one at a time. */
  readonly delivery: Limit;
  /** Password comparisons for log-ins per account and address, including successful ones. */
  readonly login: Limit;
  /**
   * Failed log-ins per account and address: beyond this number each further attempt doubles the wait, from 1 s to
   * `seconds`.
   */
  readonly loginFailures: Limit;
  /** The same from any address. High enough that nobody can lock out the owner with a few wrong passwords. */
  readonly loginAccount: Limit;
  /** Password comparisons of failed log-ins per address; a password with accents may take three. */
  readonly loginAddress: Limit;
  /**
   * Wrong second-factor codes per account and address; the wait grows as above. They also count as failed log-ins of
   * the address.
   */
  readonly mfa: Limit;
  /** The same from any address: reaching this step takes the password, so strangers cannot lock anyone out. */
  readonly mfaAccount: Limit;
  /** Wrong passwords per session, for actions that need more than an open session; the wait grows as above. */
  readonly confirm: Limit;
};

export const DEFAULT_RATE_LIMITS: RateLimits = {
  address: { points: 1200, seconds: 60 },
  user: { points: 600, seconds: 60 },
  apiKey: { points: 300, seconds: 60 },
  signup: { points: 20, seconds: 3600 },
  reset: { points: 20, seconds: 3600 },
  recovery: { points: 60, seconds: 900 },
  refresh: { points: 60, seconds: 3600 },
  reports: { points: 120, seconds: 60 },
  preferences: { points: 60, seconds: 600 },
  missed: { points: 120, seconds: 10 },
  submit: { points: 60, seconds: 60 },
  shareMiss: { points: 60, seconds: 600 },
  beacon: { points: 120, seconds: 60 },
  verify: { points: 30, seconds: 600 },
  generate: { points: 20, seconds: 600 },
  discount: { points: 20, seconds: 600 },
  purchase: { points: 60, seconds: 600 },
  sync: { points: 6, seconds: 60 },
  report: { points: 120, seconds: 60 },
  eventExport: { points: 60, seconds: 600 },
  delivery: { points: 60, seconds: 600 },
  login: { points: 60, seconds: 300 },
  loginFailures: { points: 5, seconds: 900 },
  loginAccount: { points: 100, seconds: 900 },
  loginAddress: { points: 30, seconds: 900 },
  mfa: { points: 5, seconds: 900 },
  mfaAccount: { points: 20, seconds: 900 },
  confirm: { points: 5, seconds: 900 },
};

/**
 * Limits counted once per request, or per batch of missed rows; the others count deliveries and attempts with passwords
 * and codes.
 */
export type LimitName = Exclude<
  keyof RateLimits,
  'delivery' | 'login' | 'loginFailures' | 'loginAccount' | 'loginAddress' | 'mfa' | 'mfaAccount' | 'confirm'
>;

type PasswordAttempt = {
  succeeded(): Promise<void>;
  /** The password could not be checked: do not count the attempt. */
  undecided(): Promise<void>;
};

type DeliveryAttempt = {
  /** Set beyond the limit: how a delivery is refused that need not be read. */
  readonly refused: HttpError | null;
  accepted(): Promise<void>;
};

export type RateLimiter = {
  /** Counts one. @throws HttpError RATE_LIMITED with Retry-After */
  count(limit: LimitName, key: string): Promise<void>;
  /** Counts a delivery as refused until `accepted` is called. Never refuses one by itself. */
  attemptDelivery(address: string): Promise<DeliveryAttempt>;
  /**
   * Counts a log-in as failed until `succeeded` is called, so that parallel attempts cannot slip through while the
   * first is still being checked. `comparisons`: how many the password takes if it is wrong. @throws HttpError
   * RATE_LIMITED with Retry-After
   */
  attemptLogin(email: string, address: string, comparisons: number): Promise<PasswordAttempt>;
  /** Like `attemptLogin`, for the code after a correct password. @throws HttpError RATE_LIMITED */
  attemptSecondFactor(userId: string, address: string): Promise<PasswordAttempt>;
  /**
   * Like `attemptLogin`, for the password a logged-in user must confirm: strangers' log-in attempts do not count here.
   */
  attemptConfirmation(userId: string, sessionId: string): Promise<PasswordAttempt>;
  /** Clears earlier failures once a new password was set through the account's email. */
  forgiveLogins(email: string, address: string): Promise<void>;
};

export function createRateLimiter(limits: RateLimits): RateLimiter {
  const limiterOf = (name: keyof RateLimits): RateLimiterMemory =>
    new RateLimiterMemory({ keyPrefix: name, points: limits[name].points, duration: limits[name].seconds });
  const plain: Record<LimitName, RateLimiterMemory> = {
    address: limiterOf('address'),
    user: limiterOf('user'),
    apiKey: limiterOf('apiKey'),
    signup: limiterOf('signup'),
    reset: limiterOf('reset'),
    recovery: limiterOf('recovery'),
    refresh: limiterOf('refresh'),
    reports: limiterOf('reports'),
    preferences: limiterOf('preferences'),
    missed: limiterOf('missed'),
    submit: limiterOf('submit'),
    shareMiss: limiterOf('shareMiss'),
    beacon: limiterOf('beacon'),
    verify: limiterOf('verify'),
    generate: limiterOf('generate'),
    discount: limiterOf('discount'),
    purchase: limiterOf('purchase'),
    sync: limiterOf('sync'),
    report: limiterOf('report'),
    eventExport: limiterOf('eventExport'),
  };
  const deliveries = limiterOf('delivery');
  const logins = limiterOf('login');
  const addresses = limiterOf('loginAddress');
  const ofAccount = createStreaks('loginAccount', limits.loginAccount);
  const ofAccountHere = createStreaks('loginFailures', limits.loginFailures);
  const ofFactor = createStreaks('mfaAccount', limits.mfaAccount);
  const ofFactorHere = createStreaks('mfa', limits.mfa);
  const ofSession = createStreaks('confirm', limits.confirm);

  return {
    count: (limit, key) =>
      plain[limit]
        .consume(
          limit === 'user' || limit === 'apiKey' || limit === 'submit' || limit === 'missed' ? key : addressKey(key),
        )
        .then(allow, refusedBy(limit)),
    attemptDelivery: async (address) => {
      const key = addressKey(address);
      const refused = await deliveries.consume(key).then(() => null, refusalBy('delivery'));
      return { refused, accepted: async () => void (await deliveries.reward(key)) };
    },
    attemptLogin: async (email, address, comparisons) => {
      const { account, network, accountHere } = keysOf(email, address);
      await Promise.all([ofAccount.refuseWaiting(account), ofAccountHere.refuseWaiting(accountHere)]);
      await logins.consume(accountHere, comparisons).catch(refusedBy('login'));
      await addresses.consume(network, comparisons).catch(refusedBy('loginAddress'));
      await Promise.all([ofAccount.failed(account), ofAccountHere.failed(accountHere)]);
      return {
        succeeded: async () => {
          await Promise.all([
            ofAccount.forget(account),
            ofAccountHere.forget(accountHere),
            addresses.reward(network, comparisons),
          ]);
        },
        undecided: async () => {
          await Promise.all([
            ofAccount.undo(account),
            ofAccountHere.undo(accountHere),
            addresses.reward(network, comparisons),
          ]);
        },
      };
    },
    attemptSecondFactor: async (userId, address) => {
      const network = addressKey(address);
      const here = `${userId} ${network}`;
      await Promise.all([ofFactor.refuseWaiting(userId), ofFactorHere.refuseWaiting(here)]);
      await addresses.consume(network).catch(refusedBy('loginAddress'));
      await Promise.all([ofFactor.failed(userId), ofFactorHere.failed(here)]);
      return {
        succeeded: async () =>
          void (await Promise.all([ofFactor.forget(userId), ofFactorHere.forget(here), addresses.reward(network)])),
        undecided: async () =>
          void (await Promise.all([ofFactor.undo(userId), ofFactorHere.undo(here), addresses.reward(network)])),
      };
    },
    attemptConfirmation: async (userId, sessionId) => {
      const key = `${userId} ${sessionId}`;
      await ofSession.refuseWaiting(key);
      await ofSession.failed(key);
      return { succeeded: () => ofSession.forget(key), undecided: () => ofSession.undo(key) };
    },
    forgiveLogins: async (email, address) => {
      const { account, accountHere } = keysOf(email, address);
      await Promise.all([ofAccount.forget(account), ofAccountHere.forget(accountHere)]);
    },
  };
}

function keysOf(email: string, address: string) {
  const account = hashed(normaliseEmail(email));
  const network = addressKey(address);
  return { account, network, accountHere: `${account} ${network}` };
}

/** Consecutive failures: from `points` on, each doubles the wait until the next attempt, up to `seconds`. */
function createStreaks(name: keyof RateLimits, { points, seconds: longest }: Limit) {
  const failures = new RateLimiterMemory({ keyPrefix: name, points, duration: longest });
  const waits = new RateLimiterMemory({ keyPrefix: `${name}Wait`, points: 0, duration: longest });
  return {
    /** @throws HttpError RATE_LIMITED */
    refuseWaiting: async (key: string): Promise<void> => {
      const waiting = await waits.get(key);
      if (waiting && waiting.msBeforeNext > 0) throw tooMany(seconds(waiting), name);
    },
    failed: async (key: string): Promise<void> => {
      const { consumedPoints } = await failures.penalty(key);
      const beyond = consumedPoints - points;
      if (beyond < 0) return;
      const wait = Math.min(longest, 2 ** beyond);
      await waits.block(key, wait);
      // The streak must outlast the wait, or waiting it out would restart the count.
      await failures.set(key, consumedPoints, longest + wait);
    },
    /** Takes back a failure that could not be checked. */
    undo: async (key: string): Promise<void> => void (await failures.reward(key)),
    forget: async (key: string): Promise<void> => void (await Promise.all([failures.delete(key), waits.delete(key)])),
  };
}

const allow = (): void => undefined;

/** @throws what is no refusal */
const refusalBy =
  (limit: keyof RateLimits) =>
  (reason: unknown): HttpError => {
    if (reason instanceof RateLimiterRes) return tooMany(seconds(reason), limit);
    throw reason;
  };

const refusedBy =
  (limit: keyof RateLimits) =>
  (reason: unknown): never => {
    throw refusalBy(limit)(reason);
  };

const seconds = (result: RateLimiterRes): number => Math.max(1, Math.ceil(result.msBeforeNext / 1000));
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * Groups addresses by household or machine: an IPv6 address is reduced to its /64 network, unless it holds an IPv4
 * address (mapped, or by NAT64).
 */
export function addressKey(address: string): string {
  const plain = address.replace(/^(?:::ffff|64:ff9b:):(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  const rest = tail.split(':').filter(Boolean);
  const full = plain.includes('::')
    ? [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest]
    : groups;
  const numbers = full.map((group) => Number.parseInt(group, 16));
  if (NAT64.every((group, nth) => numbers[nth] === group)) return ipv4Of(numbers[6] ?? 0, numbers[7] ?? 0);
  return numbers
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The first six groups of `64:ff9b::/96` (RFC 6052). */
const NAT64 = [0x64, 0xff9b, 0, 0, 0, 0];

function ipv4Of(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Rate limits, counted in this process's memory; an email address is kept there only as its hash. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { normaliseEmail } from '../../model/emailAddress.ts';
import { type HttpError, tooMany } from './errors.ts';
import { createRecentKeys } from './recentKeys.ts';

type Limit = { readonly points: number; readonly seconds: number };

export type RateLimits = {
  /** API requests per address. */
  readonly address: Limit;
  /** API requests per logged-in user. */
  readonly user: Limit;
  /** API requests per API key. */
  readonly apiKey: Limit;
  /** Requests of assistants per API key. */
  readonly mcp: Limit;
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
  /** Reads of an audit's rows per user: what they need of a large audit is held for a while. */
  readonly reportRows: Limit;
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
  /**
   * The same from any address, by browsers that never logged in to the account; and once more by those that did, which
   * strangers therefore cannot lock out. Others wait no longer than a person would. At best, 9,700 guesses a day are
   * tried, 100 in each quarter of an hour; whoever goes on without a pause has one in `longestWait` seconds.
   */
  readonly loginAccount: Limit & { readonly longestWait?: number };
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
  mcp: { points: 120, seconds: 60 },
  signup: { points: 20, seconds: 3600 },
  reset: { points: 20, seconds: 3600 },
  recovery: { points: 60, seconds: 900 },
  refresh: { points: 60, seconds: 3600 },
  reports: { points: 120, seconds: 60 },
  reportRows: { points: 600, seconds: 60 },
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
  loginAccount: { points: 100, seconds: 900, longestWait: 30 },
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

/** Counted by ids; all others are, or may be, by addresses. */
const BY_ID: readonly LimitName[] = ['user', 'apiKey', 'mcp', 'submit', 'missed'];

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
   * first is still being checked. `comparisons`: how many the password takes if it is wrong. `browser`: one that logged
   * in to the account before. @throws HttpError RATE_LIMITED with Retry-After
   */
  attemptLogin(email: string, address: string, comparisons: number, browser?: string | null): Promise<PasswordAttempt>;
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
  const countsOf = (name: keyof RateLimits): Counts => createCounts(name, limits[name]);
  const plain: Record<LimitName, Counts> = {
    address: countsOf('address'),
    user: countsOf('user'),
    apiKey: countsOf('apiKey'),
    mcp: countsOf('mcp'),
    signup: countsOf('signup'),
    reset: countsOf('reset'),
    recovery: countsOf('recovery'),
    refresh: countsOf('refresh'),
    reports: countsOf('reports'),
    reportRows: countsOf('reportRows'),
    preferences: countsOf('preferences'),
    missed: countsOf('missed'),
    submit: countsOf('submit'),
    shareMiss: countsOf('shareMiss'),
    beacon: countsOf('beacon'),
    verify: countsOf('verify'),
    generate: countsOf('generate'),
    discount: countsOf('discount'),
    purchase: countsOf('purchase'),
    sync: countsOf('sync'),
    report: countsOf('report'),
    eventExport: countsOf('eventExport'),
  };
  const deliveries = countsOf('delivery');
  const logins = countsOf('login');
  const addresses = countsOf('loginAddress');
  const ofAccount = createStreaks('loginAccount', limits.loginAccount);
  const ofAccountHere = createStreaks('loginFailures', limits.loginFailures);
  const ofFactor = createStreaks('mfaAccount', limits.mfaAccount);
  const ofFactorHere = createStreaks('mfa', limits.mfa);
  const ofSession = createStreaks('confirm', limits.confirm);

  return {
    count: async (limit, key) => {
      const refused = plain[limit].add(BY_ID.includes(limit) ? key : addressKey(key));
      if (refused) throw refused;
    },
    attemptDelivery: async (address) => {
      const key = addressKey(address);
      return { refused: deliveries.add(key), accepted: async () => deliveries.takeBack(key) };
    },
    attemptLogin: async (email, address, comparisons, browser = null) => {
      const network = addressKey(address);
      const { account, knownAccount } = keysOf(email);
      const accountHere = `${account} ${network}`;
      const anywhere = browser === null ? account : knownAccount;
      const here = browser === null ? accountHere : `${account} ${browser}`;
      ofAccount.refuseWaiting(anywhere);
      ofAccountHere.refuseWaiting(here);
      // First: an address that is refused must leave nothing of the accounts it names.
      const tooManyHere = addresses.add(network, comparisons);
      if (tooManyHere) throw tooManyHere;
      const tooManyOfAccount = logins.add(accountHere, comparisons);
      if (tooManyOfAccount) {
        addresses.takeBack(network, comparisons);
        throw tooManyOfAccount;
      }
      ofAccount.failed(anywhere);
      ofAccountHere.failed(here);
      return {
        succeeded: async () => {
          ofAccount.forget(anywhere);
          ofAccountHere.forget(here);
          addresses.takeBack(network, comparisons);
        },
        undecided: async () => {
          ofAccount.undo(anywhere);
          ofAccountHere.undo(here);
          addresses.takeBack(network, comparisons);
        },
      };
    },
    attemptSecondFactor: async (userId, address) => {
      const network = addressKey(address);
      const here = `${userId} ${network}`;
      ofFactor.refuseWaiting(userId);
      ofFactorHere.refuseWaiting(here);
      const tooManyHere = addresses.add(network);
      if (tooManyHere) throw tooManyHere;
      ofFactor.failed(userId);
      ofFactorHere.failed(here);
      return {
        succeeded: async () => {
          ofFactor.forget(userId);
          ofFactorHere.forget(here);
          addresses.takeBack(network);
        },
        undecided: async () => {
          ofFactor.undo(userId);
          ofFactorHere.undo(here);
          addresses.takeBack(network);
        },
      };
    },
    attemptConfirmation: async (userId, sessionId) => {
      const key = `${userId} ${sessionId}`;
      ofSession.refuseWaiting(key);
      ofSession.failed(key);
      return { succeeded: async () => ofSession.forget(key), undecided: async () => ofSession.undo(key) };
    },
    forgiveLogins: async (email, address) => {
      const { account, knownAccount } = keysOf(email);
      ofAccount.forget(account);
      ofAccount.forget(knownAccount);
      ofAccountHere.forget(`${account} ${addressKey(address)}`);
    },
  };
}

function keysOf(email: string) {
  const account = hashed(normaliseEmail(email));
  return { account, knownAccount: `${account} known` };
}

type Counts = {
  /** Counts that many more. @returns how they are refused, beyond the limit */
  add(key: string, points?: number): HttpError | null;
  takeBack(key: string, points?: number): void;
};

/** Up to `points` in `seconds`, from the first on. */
function createCounts(name: keyof RateLimits, { points: most, seconds }: Limit): Counts {
  const counts = createRecentKeys<{ points: number; readonly endsAt: number }>(seconds * 1000);
  return {
    add(key, points = 1) {
      const now = Date.now();
      const known = counts.get(key);
      const count = known && known.endsAt > now ? known : { points: 0, endsAt: now + seconds * 1000 };
      count.points += points;
      if (count !== known) counts.set(key, count);
      return count.points > most ? refusal(name, count.endsAt - now) : null;
    },
    takeBack(key, points = 1) {
      const count = counts.get(key);
      if (!count) return;
      count.points -= points;
      if (count.points <= 0) counts.delete(key);
    },
  };
}

/** Consecutive failures: from `points` on, each doubles the wait until the next attempt, up to `longestWait`. */
function createStreaks(
  name: keyof RateLimits,
  { points, seconds: longest, longestWait = longest }: RateLimits['loginAccount'],
) {
  type Streak = { readonly failures: number; readonly waitsUntil: number; readonly endsAt: number };
  // A streak outlasts the wait, or waiting it out would restart the count.
  const streaks = createRecentKeys<Streak>(2 * longest * 1000);
  return {
    /** @throws HttpError RATE_LIMITED */
    refuseWaiting(key: string): void {
      const wait = (streaks.get(key)?.waitsUntil ?? 0) - Date.now();
      if (wait > 0) throw refusal(name, wait);
    },
    failed(key: string): void {
      const now = Date.now();
      const known = streaks.get(key);
      const streak = known && known.endsAt > now ? known : { failures: 0, waitsUntil: 0, endsAt: now + longest * 1000 };
      const failures = streak.failures + 1;
      const wait = failures < points ? 0 : Math.min(longestWait, 2 ** (failures - points)) * 1000;
      streaks.set(
        key,
        wait === 0
          ? { ...streak, failures }
          : { failures, waitsUntil: now + wait, endsAt: now + longest * 1000 + wait },
      );
    },
    /** Takes back a failure that could not be checked. */
    undo(key: string): void {
      const streak = streaks.get(key);
      if (!streak) return;
      if (streak.failures > 1) streaks.set(key, { ...streak, failures: streak.failures - 1 });
      else streaks.delete(key);
    },
    forget: (key: string): void => streaks.delete(key),
  };
}

const refusal = (limit: keyof RateLimits, ms: number): HttpError => tooMany(Math.max(1, Math.ceil(ms / 1000)), limit);

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

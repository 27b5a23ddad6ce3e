/** How often somebody may ask. Counted in this process's memory; an e-mail address is kept there only as its hash. */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooMany } from '../errors.ts';

type Limit = { readonly points: number; readonly seconds: number };

export type RateLimits = {
  /** API requests of one address. */
  readonly address: Limit;
  /** API requests of one signed-in user. */
  readonly user: Limit;
  /** API requests with one API key. */
  readonly apiKey: Limit;
  /** Sign-ups of one address. */
  readonly signup: Limit;
  /** Requests of one address for a reset mail. */
  readonly reset: Limit;
  /** Uses of links from mails by one address. */
  readonly recovery: Limit;
  /** Submissions of one user. */
  readonly submit: Limit;
  /** Share links that were never given out, of one address. */
  readonly shareMiss: Limit;
  /** What the pages of a shared preview report, of one address. */
  readonly beacon: Limit;
  /** Verifications of one user: each asks somebody's site again. */
  readonly verify: Limit;
  /** Texts that one user has written anew. */
  readonly generate: Limit;
  /** Codes that one address tries. */
  readonly discount: Limit;
  /** What one user begins to buy: whoever tries stolen cards begins often. */
  readonly purchase: Limit;
  /** How often one user has the payment provider asked anew. */
  readonly sync: Limit;
  /** Reports over the whole log that one admin, or the keys of one, ask for. */
  readonly report: Limit;
  /** Log-ins for one account from one address, those that succeed too. */
  readonly login: Limit;
  /** Failed log-ins for one account from one address: after so many each further try doubles the wait, from 1 s to `seconds`. */
  readonly loginFailures: Limit;
  /** The same from anywhere. So many more that nobody can keep the owner out by a handful of wrong passwords. */
  readonly loginAccount: Limit;
  /** Failed log-ins of one address. */
  readonly loginAddress: Limit;
  /** Wrong codes of a second factor for one account from one address; the wait grows as above. Failed log-ins of the address count, too. */
  readonly mfa: Limit;
  /** The same from anywhere: who gets there knows the password, so that strangers keep nobody out. */
  readonly mfaAccount: Limit;
  /** Wrong passwords within one session, before what an open session alone must not be enough for; the wait grows as above. */
  readonly confirm: Limit;
};

export const DEFAULT_RATE_LIMITS: RateLimits = {
  address: { points: 1200, seconds: 60 },
  user: { points: 600, seconds: 60 },
  apiKey: { points: 300, seconds: 60 },
  signup: { points: 20, seconds: 3600 },
  reset: { points: 20, seconds: 3600 },
  recovery: { points: 60, seconds: 900 },
  submit: { points: 60, seconds: 60 },
  shareMiss: { points: 60, seconds: 600 },
  beacon: { points: 120, seconds: 60 },
  verify: { points: 30, seconds: 600 },
  generate: { points: 20, seconds: 600 },
  discount: { points: 20, seconds: 600 },
  purchase: { points: 60, seconds: 600 },
  sync: { points: 6, seconds: 60 },
  report: { points: 120, seconds: 60 },
  login: { points: 60, seconds: 300 },
  loginFailures: { points: 5, seconds: 900 },
  loginAccount: { points: 100, seconds: 900 },
  loginAddress: { points: 30, seconds: 900 },
  mfa: { points: 5, seconds: 900 },
  mfaAccount: { points: 20, seconds: 900 },
  confirm: { points: 5, seconds: 900 },
};

/** Limits that are counted once a request; the others count passwords. */
export type LimitName = Exclude<keyof RateLimits, 'login' | 'loginFailures' | 'loginAccount' | 'loginAddress' | 'mfa' | 'mfaAccount' | 'confirm'>;

type PasswordAttempt = {
  succeeded(): Promise<void>;
  /** It could not be checked at all: not counted. */
  undecided(): Promise<void>;
};

export type RateLimiter = {
  /** Counts one. @throws HttpError RATE_LIMITED with Retry-After */
  count(limit: LimitName, key: string): Promise<void>;
  /**
   * Counts a log-in as failed until `succeeded` is called, so that many at once cannot slip through while the first is still being checked.
   * @throws HttpError RATE_LIMITED with Retry-After
   */
  attemptLogin(email: string, address: string): Promise<PasswordAttempt>;
  /** The same for the code after a right password. @throws HttpError RATE_LIMITED */
  attemptSecondFactor(userId: string, address: string): Promise<PasswordAttempt>;
  /** The same for the password that a signed-in user is asked for: what strangers try at the log-in does not count here. */
  attemptConfirmation(userId: string, sessionId: string): Promise<PasswordAttempt>;
  /** Whoever could read the account's mail has set a new password: what was tried before counts no more. */
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
    submit: limiterOf('submit'),
    shareMiss: limiterOf('shareMiss'),
    beacon: limiterOf('beacon'),
    verify: limiterOf('verify'),
    generate: limiterOf('generate'),
    discount: limiterOf('discount'),
    purchase: limiterOf('purchase'),
    sync: limiterOf('sync'),
    report: limiterOf('report'),
  };
  const logins = limiterOf('login');
  const addresses = limiterOf('loginAddress');
  const ofAccount = createStreaks('loginAccount', limits.loginAccount);
  const ofAccountHere = createStreaks('loginFailures', limits.loginFailures);
  const ofFactor = createStreaks('mfaAccount', limits.mfaAccount);
  const ofFactorHere = createStreaks('mfa', limits.mfa);
  const ofSession = createStreaks('confirm', limits.confirm);

  return {
    count: (limit, key) => plain[limit].consume(limit === 'user' || limit === 'apiKey' || limit === 'submit' ? key : addressKey(key)).then(allow, refuse),
    attemptLogin: async (email, address) => {
      const { account, network, accountHere } = keysOf(email, address);
      await Promise.all([ofAccount.refuseWaiting(account), ofAccountHere.refuseWaiting(accountHere)]);
      await logins.consume(accountHere).catch(refuse);
      await addresses.consume(network).catch(refuse);
      await Promise.all([ofAccount.failed(account), ofAccountHere.failed(accountHere)]);
      return {
        succeeded: async () => {
          await Promise.all([ofAccount.forget(account), ofAccountHere.forget(accountHere), addresses.reward(network)]);
        },
        undecided: async () => {
          await Promise.all([ofAccount.undo(account), ofAccountHere.undo(accountHere), addresses.reward(network)]);
        },
      };
    },
    attemptSecondFactor: async (userId, address) => {
      const network = addressKey(address);
      const here = `${userId} ${network}`;
      await Promise.all([ofFactor.refuseWaiting(userId), ofFactorHere.refuseWaiting(here)]);
      await addresses.consume(network).catch(refuse);
      await Promise.all([ofFactor.failed(userId), ofFactorHere.failed(here)]);
      return {
        succeeded: async () => void (await Promise.all([ofFactor.forget(userId), ofFactorHere.forget(here), addresses.reward(network)])),
        undecided: async () => void (await Promise.all([ofFactor.undo(userId), ofFactorHere.undo(here), addresses.reward(network)])),
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
  const account = hashed(email.trim().toLowerCase());
  const network = addressKey(address);
  return { account, network, accountHere: `${account} ${network}` };
}

/** Failures in a row: from `points` on each one doubles the wait for the next try, up to `seconds`. */
function createStreaks(name: string, { points, seconds: longest }: Limit) {
  const failures = new RateLimiterMemory({ keyPrefix: name, points, duration: longest });
  const waits = new RateLimiterMemory({ keyPrefix: `${name}Wait`, points: 0, duration: longest });
  return {
    /** @throws HttpError RATE_LIMITED */
    refuseWaiting: async (key: string): Promise<void> => {
      const waiting = await waits.get(key);
      if (waiting && waiting.msBeforeNext > 0) throw tooMany(seconds(waiting));
    },
    failed: async (key: string): Promise<void> => {
      const { consumedPoints } = await failures.penalty(key);
      const beyond = consumedPoints - points;
      if (beyond < 0) return;
      const wait = Math.min(longest, 2 ** beyond);
      await waits.block(key, wait);
      // The streak outlives the wait, or waiting it out would start the count anew.
      await failures.set(key, consumedPoints, longest + wait);
    },
    /** It could not be checked: it is no failure. */
    undo: async (key: string): Promise<void> => void (await failures.reward(key)),
    forget: async (key: string): Promise<void> => void (await Promise.all([failures.delete(key), waits.delete(key)])),
  };
}

const allow = (): void => undefined;

function refuse(reason: unknown): never {
  if (reason instanceof RateLimiterRes) throw tooMany(seconds(reason));
  throw reason;
}

const seconds = (result: RateLimiterRes): number => Math.max(1, Math.ceil(result.msBeforeNext / 1000));
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** One household or machine counts as one: an IPv6 address stands for its /64 network. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail = ''] = plain.split('%')[0]?.split('::') ?? [];
  const groups = head.split(':').filter(Boolean);
  const rest = tail.split(':').filter(Boolean);
  const full = plain.includes('::') ? [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest] : groups;
  return full
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

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
  /** Failed log-ins for one account: after so many each further try doubles the wait, from 1 s to `seconds`. */
  readonly loginAccount: Limit;
  /** Failed log-ins of one address. */
  readonly loginAddress: Limit;
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
  loginAccount: { points: 5, seconds: 900 },
  loginAddress: { points: 30, seconds: 900 },
};

/** Limits that are counted once a request; the others count log-ins. */
export type LimitName = Exclude<keyof RateLimits, 'loginAccount' | 'loginAddress'>;

type LoginAttempt = {
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
  attemptLogin(email: string, address: string): Promise<LoginAttempt>;
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
  };
  const failures = limiterOf('loginAccount');
  const waits = new RateLimiterMemory({ keyPrefix: 'loginWait', points: 0, duration: limits.loginAccount.seconds });
  const addresses = limiterOf('loginAddress');

  return {
    count: (limit, key) => plain[limit].consume(limit === 'user' || limit === 'apiKey' || limit === 'submit' ? key : addressKey(key)).then(allow, refuse),
    attemptLogin: async (email, address) => {
      const account = hashed(email.trim().toLowerCase());
      const waiting = await waits.get(account);
      if (waiting && waiting.msBeforeNext > 0) throw tooMany(seconds(waiting));
      await addresses.consume(addressKey(address)).catch(refuse);
      const { consumedPoints } = await failures.penalty(account);
      const beyond = consumedPoints - limits.loginAccount.points;
      if (beyond >= 0) {
        const wait = Math.min(limits.loginAccount.seconds, 2 ** beyond);
        await waits.block(account, wait);
        // The streak outlives the wait, or waiting it out would start the count anew.
        await failures.set(account, consumedPoints, limits.loginAccount.seconds + wait);
      }
      return {
        succeeded: async () => {
          await Promise.all([failures.delete(account), waits.delete(account), addresses.reward(addressKey(address))]);
        },
        undecided: async () => {
          await Promise.all([failures.reward(account), addresses.reward(addressKey(address))]);
        },
      };
    },
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

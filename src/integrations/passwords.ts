/**
 * Password hashing with argon2id. Few run in parallel, because each takes 19 MiB and a core for tens of milliseconds.
 */
import { type Algorithm, hash as argonHash, verify as argonVerify } from '@node-rs/argon2';
import { passwordForms, storedPasswordForm } from '../model/passwordForms.ts';

/**
 * OWASP's first recommendation for argon2id. Raising them keeps old hashes valid, because each hash contains its
 * parameters.
 */
const PARAMETERS = {
  algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

export type Passwords = {
  /** Of its stored form. `source` identifies the requester for fair queueing. @throws PasswordsBusy */
  hash(password: string, source?: string): Promise<string>;
  /**
   * Compares the forms of the password, one after another, until one matches. With null (no such account) it makes as
   * many comparisons as for a wrong password and returns false. @throws PasswordsBusy
   */
  verify(hash: string | null, password: string, source?: string): Promise<boolean>;
};

/** One comparison with a hash. Rejects if the hash is malformed. */
type Compare = (hash: string, password: string) => Promise<boolean>;

/** The queue is full: try again in a moment. */
export class PasswordsBusy extends Error {
  readonly code = 'BUSY';
  constructor() {
    super('Too many people are logging in at this moment. Please try again in a few seconds.');
    this.name = 'PasswordsBusy';
  }
}

/** Runs at most `maxParallel` computations, with at most `maxQueue` queued per source; more are rejected. */
export function createPasswords(options: {
  readonly maxParallel: number;
  readonly maxQueue: number;
  readonly compare?: Compare;
}): Passwords {
  const { compare = argonVerify } = options;
  const limited = createLimit(options.maxParallel, options.maxQueue);
  // Verified against when there is no account, so that the response time is the same. Nobody knows its password.
  const decoy = argonHash(crypto.getRandomValues(new Uint8Array(32)), PARAMETERS);
  return {
    hash: (password, source = '') => limited(source, () => argonHash(storedPasswordForm(password), PARAMETERS)),
    verify: async (hash, password, source = '') => {
      const against = hash ?? (await decoy);
      for (const form of passwordForms(password)) {
        if (await limited(source, () => compare(against, form).catch(() => false))) return hash !== null;
      }
      return false;
    },
  };
}

/** Caps the total queue at this many times `maxQueue`. */
const MANY_SOURCES = 10;

/**
 * One queue per source, served round-robin, so that a busy source only delays itself. Not p-limit, which has a single
 * unbounded queue.
 */
function createLimit(maxParallel: number, maxQueue: number): <T>(source: string, work: () => Promise<T>) => Promise<T> {
  let running = 0;
  let waiting = 0;
  const lines = new Map<string, (() => void)[]>();

  function wait(source: string): Promise<void> {
    const line = lines.get(source) ?? [];
    if (line.length >= maxQueue || waiting >= maxQueue * MANY_SOURCES) throw new PasswordsBusy();
    waiting += 1;
    lines.set(source, line);
    return new Promise((resolve) => line.push(resolve));
  }

  function next(): (() => void) | undefined {
    const [first] = lines;
    if (!first) return undefined;
    const [source, line] = first;
    lines.delete(source);
    const call = line.shift();
    // Move the source to the end.
    if (line.length > 0) lines.set(source, line);
    waiting -= 1;
    return call;
  }

  return async (source, work) => {
    // A finished computation passes its slot on, so `running` stays the same.
    if (running >= maxParallel) await wait(source);
    else running += 1;
    try {
      return await work();
    } finally {
      const call = next();
      if (call) call();
      else running -= 1;
    }
  };
}

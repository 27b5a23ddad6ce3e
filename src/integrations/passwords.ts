/** Passwords: argon2id, few at once, because each takes 19 MiB and a core for tens of milliseconds. */
import { type Algorithm, hash as argonHash, verify as argonVerify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id. Raising them leaves old hashes valid: each hash names its own parameters. */
const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type Passwords = {
  /** `source`: who asks, so that all who ask take turns. @throws PasswordsBusy */
  hash(password: string, source?: string): Promise<string>;
  /** With null (nobody has that address) it takes as long as with a hash, and is false. @throws PasswordsBusy */
  verify(hash: string | null, password: string, source?: string): Promise<boolean>;
};

/** More are waiting than may wait: try again in a moment. */
export class PasswordsBusy extends Error {
  readonly code = 'BUSY';
  constructor() {
    super('Too many people are signing in at this moment. Please try again in a few seconds.');
    this.name = 'PasswordsBusy';
  }
}

/** At most `maxParallel` computations at once and `maxQueue` waiting of one source; more are refused. */
export function createPasswords(options: { readonly maxParallel: number; readonly maxQueue: number }): Passwords {
  const limited = createLimit(options.maxParallel, options.maxQueue);
  // Compared against when there is no account, so that the answer takes the same time. Of nothing anybody knows.
  const decoy = argonHash(crypto.getRandomValues(new Uint8Array(32)), PARAMETERS);
  return {
    hash: (password, source = '') => limited(source, () => argonHash(password, PARAMETERS)),
    verify: async (hash, password, source = '') => {
      const against = hash ?? (await decoy);
      const right = await limited(source, () => argonVerify(against, password).catch(() => false));
      return right && hash !== null;
    },
  };
}

/** Sources whose waiting counts: what all of them together may have waiting. */
const MANY_SOURCES = 10;

/** A line for each source, one of each in turn: whoever asks for much waits for themselves alone. By hand: p-limit has one line, without a bound. */
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
    // Behind the others now.
    if (line.length > 0) lines.set(source, line);
    waiting -= 1;
    return call;
  }

  return async (source, work) => {
    // The one who leaves hands its place over, so `running` stays as it is.
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

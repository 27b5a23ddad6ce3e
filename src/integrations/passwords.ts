/** Passwords: argon2id, few at once, because each takes 19 MiB and a core for tens of milliseconds. */
import { type Algorithm, hash as argonHash, verify as argonVerify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id. Raising them leaves old hashes valid: each hash names its own parameters. */
const PARAMETERS = { algorithm: 2 satisfies Algorithm.Argon2id as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export type Passwords = {
  /** @throws PasswordsBusy */
  hash(password: string): Promise<string>;
  /** With null (nobody has that address) it takes as long as with a hash, and is false. @throws PasswordsBusy */
  verify(hash: string | null, password: string): Promise<boolean>;
};

/** More are waiting than may wait: try again in a moment. */
export class PasswordsBusy extends Error {
  readonly code = 'BUSY';
  constructor() {
    super('Too many people are signing in at this moment. Please try again in a few seconds.');
    this.name = 'PasswordsBusy';
  }
}

/** At most `maxParallel` computations at once and `maxQueue` waiting; more are refused. */
export function createPasswords(options: { readonly maxParallel: number; readonly maxQueue: number }): Passwords {
  const limited = createLimit(options.maxParallel, options.maxQueue);
  // Compared against when there is no account, so that the answer takes the same time. Of nothing anybody knows.
  const decoy = argonHash(crypto.getRandomValues(new Uint8Array(32)), PARAMETERS);
  return {
    hash: (password) => limited(() => argonHash(password, PARAMETERS)),
    verify: async (hash, password) => {
      const against = hash ?? (await decoy);
      const right = await limited(() => argonVerify(against, password).catch(() => false));
      return right && hash !== null;
    },
  };
}

function createLimit(maxParallel: number, maxQueue: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= maxParallel) {
      if (waiting.length >= maxQueue) throw new PasswordsBusy();
      // The one who leaves hands its place over, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

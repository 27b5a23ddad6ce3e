/** Resolves host names. A slow name server must not block the thread pool that the rest of the process needs. */
import { lookup, Resolver } from 'node:dns/promises';
import pLimit from 'p-limit';

export type ResolvedAddress = {
  readonly address: string;
  readonly family: 4 | 6;
  /** Port of the service, if it differs from the requested one; name servers never return it. */
  readonly port?: number;
};

/** All addresses of a name; rejects if there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export type ResolveOptions = {
  /** Name servers as `address:port`; default: those of the system. */
  readonly servers?: readonly string[];
  /** Per try, ms. */
  readonly queryMs?: number;
  /** The system's own resolver, asked last: hosts file and all. */
  readonly system?: ResolveHost;
};

const REASONS = {
  not_found: 'The host name was not found.',
  slow: 'The name servers of the host did not answer in time.',
  failing: 'The name servers of the host could not answer.',
} as const;

/** Only `not_found` says that there is no such host. */
export class NameNotResolved extends Error {
  readonly reason: keyof typeof REASONS;

  constructor(reason: keyof typeof REASONS) {
    super(REASONS[reason]);
    this.name = 'NameNotResolved';
    this.reason = reason;
  }
}

const QUERY_MS = 2500;
const QUERY_TRIES = 2;
/** `lookup` uses the four-thread pool shared with file access, hashing and compression. */
const MAX_LOOKUPS = 2;

/**
 * Queries the name servers first, which needs no thread. An unknown name may still be in the hosts file or known to the
 * system's own resolver, so `lookup` runs only then; names whose servers hang never reach it.
 */
export function createResolveHost({
  servers,
  queryMs = QUERY_MS,
  system = systemLookup,
}: ResolveOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const limit = pLimit(MAX_LOOKUPS);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...answersOf(v6, 6), ...answersOf(v4, 4)];
    if (found.length > 0) return found;
    if (isSlow(v4) || isSlow(v6)) throw new NameNotResolved('slow');
    const known = await limit(() => system(hostname));
    if (known.length > 0) return known;
    const codes = [codeOf(v4), codeOf(v6)];
    const isFailing = codes.includes('ESERVFAIL') && !codes.includes('ENOTFOUND') && !NEVER_THERE.test(hostname);
    throw new NameNotResolved(isFailing ? 'failing' : 'not_found');
  };
}

function answersOf(result: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

function isSlow(result: PromiseSettledResult<string[]>): boolean {
  return codeOf(result) === 'ETIMEOUT';
}

/** `ENOTFOUND`: there is no such name. `ESERVFAIL`: its servers have trouble, or its signatures are wrong. */
function codeOf(result: PromiseSettledResult<string[]>): string | undefined {
  return result.status === 'rejected' ? (result.reason as NodeJS.ErrnoException).code : undefined;
}

/** By RFC 6761: whatever a name server without a connection says of them. */
const NEVER_THERE = /(?:^|\.)(?:invalid|test|example|localhost)$/i;

/** Empty if there is no address: whatever error the system's resolver has. */
async function systemLookup(hostname: string): Promise<readonly ResolvedAddress[]> {
  try {
    const found = await lookup(hostname, { all: true, verbatim: true });
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  } catch {
    return [];
  }
}

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
};

export class NameNotResolved extends Error {
  constructor(reason: 'not_found' | 'slow') {
    super(reason === 'slow' ? 'The name servers of the host did not answer in time.' : 'The host name was not found.');
    this.name = 'NameNotResolved';
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
export function createResolveHost({ servers, queryMs = QUERY_MS }: ResolveOptions = {}): ResolveHost {
  const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const limit = pLimit(MAX_LOOKUPS);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = [...answersOf(v6, 6), ...answersOf(v4, 4)];
    if (found.length > 0) return found;
    if (isSlow(v4) || isSlow(v6)) throw new NameNotResolved('slow');
    return limit(() => systemLookup(hostname));
  };
}

function answersOf(result: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

function isSlow(result: PromiseSettledResult<string[]>): boolean {
  return result.status === 'rejected' && (result.reason as NodeJS.ErrnoException).code === 'ETIMEOUT';
}

async function systemLookup(hostname: string): Promise<readonly ResolvedAddress[]> {
  try {
    const found = await lookup(hostname, { all: true, verbatim: true });
    if (found.length > 0) return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
  } catch {
    // Any error of the system resolver means that there is no address.
  }
  throw new NameNotResolved('not_found');
}

/** Names to addresses. A slow name server may not hold the threads that the rest of the process needs. */
import { lookup, Resolver } from 'node:dns/promises';
import pLimit from 'p-limit';

export type ResolvedAddress = {
  readonly address: string;
  readonly family: 4 | 6;
  /** Where the name is served when that is not the port of its addresses; name servers never say so. */
  readonly port?: number;
};

/** All addresses of a name; rejects when there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export type ResolveOptions = {
  /** Name servers as `address:port`; default: those of the system. */
  readonly servers?: readonly string[];
  /** For one try, ms. */
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
/** `lookup` runs on the thread pool of four that files, hashing and compression share. */
const MAX_LOOKUPS = 2;

/**
 * Asks the name servers without a thread first. What they do not know may still stand in the hosts file or behind the system's own
 * resolver, so only then `lookup` is asked; a name whose servers hang never gets that far.
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
    // Every reason of the system's resolver comes down to: no address.
  }
  throw new NameNotResolved('not_found');
}

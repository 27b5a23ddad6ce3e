/**
 * Requests the headers of URLs that pages link to or load but that are not crawled: limited in number, time and
 * requests per host.
 */
import type { FetchFailure } from '../../../model/fetching.ts';
import { ascending } from '../../../model/order.ts';
import { parseUrl } from '../../../model/parseUrl.ts';
import { weightOf } from '../../memory.ts';
import { inSlices, type Pausable } from '../../timeSlices.ts';
import type { CrawlEnv, CrawlOptions } from '../crawlEnv.ts';
import type { CrawledPage, Discovery, FetchOutcome, LinkCheck } from '../site.ts';
import { crawlUrl, dedupeKey, isInternal } from '../url.ts';
import { firstAllowed, type Weighed } from './firstAllowed.ts';
import { headThenGet } from './probes.ts';

export type LinkCheckScope = {
  readonly pages: readonly CrawledPage[];
  readonly discovery: Discovery;
  readonly options: CrawlOptions;
  /** Crawl clock, ms. */
  readonly endsAt: number;
  /** Between requests to the crawled site. */
  readonly crawlDelayMs: number;
  /** What answers may still take in memory, bytes. */
  readonly roomLeft: number;
  /** Answers that the crawl has received already, by address. */
  readonly asked?: ReadonlyMap<string, FetchOutcome>;
};

type Kind = LinkCheck['kind'];
type Candidate = Weighed<Kind>;

const MAX_CHECKS = 200;
/** Share of all link checks per kind; unused ones do not go to another kind. */
const SHARES: Readonly<Record<Kind, number>> = { internal: 0.4, external: 0.3, image: 0.2, canonical: 0.1 };
export const LINK_KINDS = Object.keys(SHARES) as readonly Kind[];
const HOSTS_AT_ONCE = 8;
/** As browsers ask for images: many servers then answer with a newer format. */
const AS_IMAGE = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' };
const CHECK_MS = 8000;
/** Of another host, in a row; one that hangs on everything must not take all of the time. */
const MOST_TIMEOUTS = 3;
/** Failures of a host, not of one of its addresses: a single address may well hang. */
const HOST_UNREACHABLE: ReadonlySet<FetchFailure> = new Set<FetchFailure>(['dns', 'refused', 'tls']);

/** How many addresses of the crawled site are asked for their headers alone. */
export function mostInternalChecks({ maxLinkChecks = MAX_CHECKS }: Pick<CrawlOptions, 'maxLinkChecks'>): number {
  return Math.round(maxLinkChecks * SHARES.internal);
}

export type LinkChecks = {
  readonly checks: readonly LinkCheck[];
  /** The kinds of which some were not tried, or not to the end. */
  readonly untried: readonly Kind[];
};

export async function checkLinks(scope: LinkCheckScope, env: CrawlEnv): Promise<LinkChecks> {
  let room = scope.roomLeft;
  const isOver = (): boolean => env.signal?.aborted === true || env.now() >= scope.endsAt || room < 0;
  const found = await inSlices(choose(scope, env), env, isOver);
  const chosen = found?.chosen ?? [];
  const checks: LinkCheck[] = [];
  const wanted = [...chosen];
  const queues = byHost(chosen);
  const work = async (): Promise<void> => {
    for (let queue = queues.shift(); queue && !isOver(); queue = queues.shift()) {
      await checkHost(queue, scope, env, isOver, (check) => {
        room -= weightOf(check);
        checks.push(check);
      });
    }
  };
  await Promise.all(Array.from({ length: HOSTS_AT_ONCE }, work));
  const tried = new Set(checks.map(({ url, kind }) => `${kind} ${url}`));
  const untried = new Set(wanted.filter(({ url, kind }) => !tried.has(`${kind} ${url}`)).map(({ kind }) => kind));
  return {
    checks: checks.sort((a, b) => ascending(a.url, b.url)),
    untried: LINK_KINDS.filter((kind) => found === null || found.left.has(kind) || untried.has(kind)),
  };
}

/** The crawled site gets as many parallel requests as in the crawl, any other host one. */
async function checkHost(
  queue: Candidate[],
  scope: LinkCheckScope,
  env: CrawlEnv,
  isOver: () => boolean,
  keep: (check: LinkCheck) => void,
): Promise<void> {
  const isOwn = isInternal(queue[0]?.url ?? '', scope.discovery.origin);
  const delay = isOwn ? scope.crawlDelayMs : 0;
  let timeouts = 0;
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next && !isOver(); next = queue.shift()) {
      const known = scope.asked?.get(next.url);
      if (known) {
        keep({ url: next.url, kind: next.kind, outcome: known });
        continue;
      }
      if (delay > 0) await env.sleep(delay, env.signal);
      const outcome = await headThenGet(next.url, env, {
        timeoutMs: CHECK_MS,
        endsAt: scope.endsAt,
        ...(next.kind === 'image' ? { headers: AS_IMAGE } : {}),
      });
      // A request cut off by the end of the crawl says nothing about the link.
      if (outcome.failure === 'aborted' || (outcome.failure === 'timeout' && isOver())) return;
      keep({ url: next.url, kind: next.kind, outcome });
      // If another host is down, skip its remaining links rather than wait for each.
      if (!isOwn && outcome.failure !== null && HOST_UNREACHABLE.has(outcome.failure)) return;
      timeouts = outcome.failure === 'timeout' ? timeouts + 1 : 0;
      if (!isOwn && timeouts >= MOST_TIMEOUTS) return;
    }
  };
  const lanes = isOwn && delay === 0 ? Math.max(1, Math.min(4, scope.options.concurrency)) : 1;
  await Promise.all(Array.from({ length: lanes }, lane));
}

function byHost(chosen: readonly Candidate[]): Candidate[][] {
  const queues = new Map<string, Candidate[]>();
  for (const candidate of chosen) {
    const host = parseUrl(candidate.url)?.host ?? '';
    const queue = queues.get(host);
    if (queue) queue.push(candidate);
    else queues.set(host, [candidate]);
  }
  return [...queues.values()];
}

/** URLs that most pages point to come first; ties are broken by address, so that every crawl chooses the same. */
function* choose(
  scope: LinkCheckScope,
  env: CrawlEnv,
): Pausable<{ readonly chosen: readonly Candidate[]; readonly left: ReadonlySet<Kind> }> {
  const all = yield* candidates(scope);
  const most = scope.options.maxLinkChecks ?? MAX_CHECKS;
  const shares = Object.entries(SHARES).map(([kind, share]) => [kind as Kind, Math.round(most * share)] as const);
  return yield* firstAllowed(all, new Map(shares), scope.discovery, env);
}

function* candidates(scope: LinkCheckScope): Pausable<readonly Candidate[]> {
  const { origin } = scope.discovery;
  const { only } = scope.options;
  const known = new Set<string>();
  for (const { url, outcome } of scope.pages) {
    yield;
    for (const each of [url, outcome.requestedUrl, outcome.url]) known.add(dedupeKey(each));
  }
  const found = new Map<string, Candidate | null>();
  const add = (href: string | null, kind: Kind, weight = 1): void => {
    if (href === null) return;
    const present = found.get(href);
    if (present) present.weight += weight;
    if (present !== undefined) return;
    const url = crawlUrl(href);
    const isLeftOut = url === null || known.has(dedupeKey(url));
    found.set(href, isLeftOut ? null : { url, kind, weight, own: isInternal(url, origin) });
  };
  for (const page of scope.pages) {
    const { facts } = page;
    if (!facts) continue;
    const wanted = (kind: Kind): boolean => only?.fetches(page, kind) !== false;
    if (wanted('canonical')) for (const canonical of facts.canonicals) add(canonical.url, 'canonical');
    const [internal, external] = [wanted('internal'), wanted('external')];
    for (const link of facts.links) {
      if (link.internal ? internal : external) add(link.url, link.internal ? 'internal' : 'external');
      yield;
    }
    if (!wanted('image')) continue;
    for (const image of facts.images) {
      add(image.url, 'image');
      yield;
    }
  }
  // After all that pages show. Of named pages, only what they show is asked for.
  if (only === undefined)
    for (const { urls } of scope.discovery.sitemaps)
      for (const { images = [] } of urls) {
        for (const image of images) add(image, 'image', 0);
        yield;
      }
  return [...found.values()].filter((candidate): candidate is Candidate => candidate !== null);
}

import { ascending } from '../../../model/order.ts';
/**
 * Fetches files that pages name without showing them: share images, manifest, feeds, icons, static files. Limited in
 * number, bytes and time.
 */

import { parseUrl } from '../../../model/parseUrl.ts';
import { weightOf } from '../../memory.ts';
import { inSlices, type Pausable } from '../../timeSlices.ts';
import type { CrawlEnv } from '../crawlEnv.ts';
import { outcomeOf } from '../outcome.ts';
import type { CrawledPage, Discovery, FetchOutcome, FileCheck } from '../site.ts';
import { feedProblem } from '../sitemaps/feedProblem.ts';
import { crawlUrl, isInternal } from '../url.ts';
import { firstAllowed, type Weighed } from './firstAllowed.ts';
import { imageHead } from './imageHead.ts';
import type { LinkCheckScope } from './linkChecks.ts';
import { headThenGet } from './probes.ts';

export type FileCheckScope = LinkCheckScope & {
  /** What remains of the crawl's byte budget. */
  readonly bytesLeft: number;
};

type Kind = FileCheck['kind'];
type Candidate = Weighed<Kind>;

const MAX_CHECKS = 44;
/** Pages slower than this are requested once more, because a single answer may be slow by chance. */
const SLOW_MS = 800;
/** Maximum number of checks of each kind. */
const SHARES: Readonly<Record<Kind, number>> = {
  'share-image': 20,
  asset: 10,
  feed: 4,
  icon: 1,
  manifest: 1,
  'slow-page': 6,
  'foreign-robots': 2,
};
/** Bytes kept of a body. An image's size is in its first bytes, after camera metadata. */
const BYTES: Readonly<Record<Kind, number>> = {
  'share-image': 128 * 1024,
  asset: 0,
  feed: 1024 * 1024,
  icon: 0,
  manifest: 100 * 1024,
  'slow-page': 32 * 1024,
  'foreign-robots': 100 * 1024,
};
const LANES = 4;
const CHECK_MS = 8000;
const FONT = /\.(?:woff2?|ttf|otf)(?:[?#]|$)/i;

/** Sorted by kind and address, so that every crawl gives the same order. */
export async function checkFiles(scope: FileCheckScope, env: CrawlEnv): Promise<readonly FileCheck[]> {
  let bytes = 0;
  let room = scope.roomLeft;
  const isOver = (): boolean =>
    env.signal?.aborted === true || env.now() >= scope.endsAt || bytes >= scope.bytesLeft || room < 0;
  const waiting = (await inSlices(choose(scope, env), env, isOver)) ?? [];
  const checks: FileCheck[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !isOver(); next = waiting.shift()) {
      if (scope.crawlDelayMs > 0 && isInternal(next.url, scope.discovery.origin))
        await env.sleep(scope.crawlDelayMs, env.signal);
      const check = await fetchFile(next, scope.endsAt, env);
      bytes += check.outcome.bytes;
      // A request cut off by the end of the crawl says nothing about the file.
      if (check.outcome.failure === 'aborted' || (check.outcome.failure === 'timeout' && isOver())) return;
      room -= weightOf(check);
      checks.push(check);
    }
  };
  const lanes = scope.crawlDelayMs > 0 ? 1 : Math.max(1, Math.min(LANES, scope.options.concurrency));
  await Promise.all(Array.from({ length: lanes }, lane));
  return checks.sort((a, b) => ascending(`${a.kind} ${a.url}`, `${b.kind} ${b.url}`));
}

async function fetchFile({ url, kind }: Candidate, endsAt: number, env: CrawlEnv): Promise<FileCheck> {
  const unread = { url, kind, image: null, problem: null, text: '' };
  if (BYTES[kind] === 0) return { ...unread, outcome: await headThenGet(url, env, { timeoutMs: CHECK_MS, endsAt }) };
  const result = await env.fetch(url, {
    maxBytes: BYTES[kind],
    cut: true,
    timeoutMs: Math.max(1, Math.min(CHECK_MS, endsAt - env.now())),
    ...(env.signal ? { signal: env.signal } : {}),
  });
  const outcome = outcomeOf(result);
  if (!result.ok || !isSuccess(outcome)) return { ...unread, outcome };
  if (kind === 'share-image') return { ...unread, outcome, image: imageHead(result.body) };
  const text = new TextDecoder().decode(result.body);
  if (kind === 'feed') return { ...unread, outcome, problem: feedProblem(text, result.truncated) };
  return { ...unread, outcome, text: kind === 'slow-page' ? '' : text };
}

function isSuccess({ status }: FetchOutcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** Files that most pages name come first; ties are broken by address. */
function* choose(scope: FileCheckScope, env: CrawlEnv): Pausable<Candidate[]> {
  const all = yield* candidates(scope);
  const most = scope.options.maxFileChecks ?? MAX_CHECKS;
  const shares = Object.entries(SHARES).map(
    ([kind, share]) => [kind as Kind, Math.ceil((share * most) / MAX_CHECKS)] as const,
  );
  const { chosen } = yield* firstAllowed(all, new Map(shares), scope.discovery, env);
  // Last those that only the time of an answer made candidates.
  const isSlow = ({ kind }: Candidate): boolean => kind === 'slow-page';
  return [...chosen.filter((each) => !isSlow(each)), ...chosen.filter(isSlow)].slice(0, most);
}

function* candidates({ pages, discovery, options }: FileCheckScope): Pausable<readonly Candidate[]> {
  const found = new Map<string, Candidate | null>();
  const add = (page: CrawledPage | null, href: string | null, kind: Kind, weight = 1): void => {
    if (href === null || (page !== null && options.only?.fetches(page, kind) === false)) return;
    const key = `${kind} ${href}`;
    const present = found.get(key);
    if (present) present.weight++;
    if (present !== undefined) return;
    const url = parseUrl(href) === null ? null : crawlUrl(href);
    const own = url !== null && isInternal(url, discovery.origin);
    found.set(key, url === null || (!own && kind === 'asset') ? null : { url, kind, weight, own });
  };
  for (const host of yield* foreignHosts(discovery)) add(null, `${host}/robots.txt`, 'foreign-robots');
  for (const page of pages) {
    const { facts, from, outcome } = page;
    if (facts === null) continue;
    if (outcome.ttfbMs > SLOW_MS) add(page, outcome.url, 'slow-page', outcome.ttfbMs);
    for (const { name, content } of facts.properties) if (name === 'og:image') add(page, content.trim(), 'share-image');
    if (from === 'start') add(page, facts.resources.find(({ kind }) => kind === 'icon')?.url ?? null, 'icon');
    for (const { url, kind } of facts.resources) {
      if (kind === 'feed') add(page, url, 'feed');
      else if (kind === 'stylesheet' || kind === 'script' || kind === 'font' || FONT.test(url)) add(page, url, 'asset');
      else if (from === 'start' && kind === 'manifest') add(page, url, kind);
      yield;
    }
  }
  return [...found.values()].filter((candidate) => candidate !== null);
}

/** Hosts whose pages a sitemap of this site lists: their robots.txt may authorize that. */
function* foreignHosts({ origin, sitemaps }: Discovery): Pausable<ReadonlySet<string>> {
  const hosts = new Set<string>();
  for (const { kind, urls } of sitemaps) {
    if (kind === 'index') continue;
    for (const { loc } of urls) {
      const url = parseUrl(loc);
      yield;
      if (url === null || isInternal(loc, origin)) continue;
      hosts.add(url.origin);
      break;
    }
  }
  return hosts;
}

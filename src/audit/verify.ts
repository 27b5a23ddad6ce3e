/**
 * Verifies individual findings of an earlier audit: runs only their checks, on only their pages and what those checks
 * need.
 */
import type { Fetcher } from '../model/fetching.ts';
import type { Finding, VerifiedState } from '../model/findings.ts';
import type { Check } from './checks/check.ts';
import { CHECKS } from './checks/index.ts';
import { RECHECK_NEEDS, type RecheckNeeds } from './checks/recheckNeeds.ts';
import { runChecksInSlices } from './checks/runChecks.ts';
import type { CrawlEnv, CrawlOptions } from './crawl/crawlEnv.ts';
import { crawlSite } from './crawl/crawlSite.ts';
import { discover } from './crawl/discover.ts';
import type { NamedPages } from './crawl/namedPages.ts';
import type { Crawl, CrawledPage } from './crawl/site.ts';
import { dedupeKey } from './crawl/url.ts';
import { findingsBytes } from './memory.ts';
import type { FindingRecord, FindingsDocument } from './report/findingsFormat.ts';
import { matchingFindings } from './report/matchFindings.ts';
import { clockOf, inSlices, type Pausable, type SliceClock } from './timeSlices.ts';
import { whyNotSeen } from './whyNotSeen.ts';

export type Verification = {
  /** In the order of the earlier audit. */
  readonly results: readonly VerifiedFinding[];
  /** Requested ids that are neither findings nor checks with findings in the earlier audit. */
  readonly unknown: readonly string[];
  /** All network requests, in order. */
  readonly requests: readonly VerifyRequest[];
  /** UTC ISO. */
  readonly startedAt: string;
  readonly durationMs: number;
};

export type VerifiedFinding = {
  readonly finding: FindingRecord;
  readonly state: VerifiedState;
  /**
   * For `not_checked`, the reason, worded as the end of a sentence; for `still_there`, what limits the verdict, if
   * anything.
   */
  readonly because: string | null;
  /** Its current form; null unless it is still there. */
  readonly now: Finding | null;
};

export type VerifyRequest = { readonly method: 'GET' | 'HEAD'; readonly url: string; readonly status: number | null };

export type VerifyOptions = {
  /** Whole verification; ms, default 60,000. */
  readonly maxMs?: number;
  /** Parallel requests; default 4, which is also the maximum. */
  readonly concurrency?: number;
  /** Request pages as a phone and as Googlebot where findings need it; default true. */
  readonly askAsOthers?: boolean;
  readonly onProgress?: CrawlOptions['onProgress'];
  /** Ends the search for the findings; that of the environment only ends the crawl, whose part is still searched. */
  readonly signal?: AbortSignal;
  /** Whose site it is, for the search. */
  readonly owner?: string;
};

type Item = { readonly finding: FindingRecord; readonly check: Check | undefined; readonly needs: RecheckNeeds };

const MAX_MS = 60_000;
/** Time limit of the checks after the crawl, ms. */
const CHECKS_MS = 5000;
const MAX_BYTES = 200 * 1024 * 1024;
/** Pages that the named ones lead to. */
const MAX_LEADS = 300;
const MAX_LINKS = 1000;
const MAX_FILES = 108;
/** Of findings; those that are left out were not looked for. */
const LIMITS = { page: 10_000, check: 100_000, bytes: 2 * findingsBytes() };

const CHECKS_BY_ID = new Map(CHECKS.map((check) => [check.id, check]));

/** The earlier audit, and the ids of findings or checks to verify; all of them if there are none. */
export type ToVerify = { readonly document: FindingsDocument; readonly only: readonly string[] };

export type RejudgeRun = SliceClock & Pick<CrawlEnv, 'siteBytes'> & Pick<VerifyOptions, 'signal' | 'owner'>;

/** What became of the findings, by a crawl of what they need. Rejects with the signal's reason when aborted. */
export type Rejudge = (input: ToVerify, crawl: Crawl, run: RejudgeRun) => Promise<readonly VerifiedFinding[]>;

/**
 * `judge`: where the findings are looked for; default: here, in slices. Never rejects because of the site.
 * @throws the reason of the options' signal if it aborts while they are looked for
 */
export async function verifyFindings(
  input: ToVerify,
  options: VerifyOptions,
  env: CrawlEnv,
  judge: Rejudge = rejudge,
): Promise<Verification> {
  const { document, only } = input;
  const items = itemsOf(input);
  const known = new Set(items.flatMap(({ finding: { id, checkId } }) => [id, checkId]));
  const startedAt = env.now();
  const watched = watch(env.fetch);
  const runnable = items.filter(({ check }) => check !== undefined);
  const crawl =
    runnable.length === 0 ? null : await refetch(document, runnable, options, { ...env, fetch: watched.fetch });
  const results =
    crawl === null
      ? items.map(({ finding }) => unseen(finding, 'this version does not have the check'))
      : await judge(input, crawl, {
          ...clockOf(env),
          ...(env.siteBytes === undefined ? {} : { siteBytes: env.siteBytes }),
          ...(options.signal ? { signal: options.signal } : {}),
          ...(options.owner === undefined ? {} : { owner: options.owner }),
        });
  return {
    results,
    unknown: only.filter((id) => !known.has(id)),
    requests: watched.requests,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(env.now() - startedAt),
  };
}

function itemsOf({ document, only }: ToVerify): readonly Item[] {
  const wanted = new Set(only);
  return document.findings
    .filter(({ id, checkId }) => wanted.size === 0 || wanted.has(id) || wanted.has(checkId))
    .map(itemOf);
}

function itemOf(finding: FindingRecord): Item {
  return { finding, check: CHECKS_BY_ID.get(finding.checkId), needs: RECHECK_NEEDS[finding.checkId] ?? {} };
}

function watch(fetch: Fetcher): { readonly fetch: Fetcher; readonly requests: VerifyRequest[] } {
  const requests: VerifyRequest[] = [];
  return {
    requests,
    fetch: async (url, options) => {
      const at = requests.push({ method: options?.method ?? 'GET', url, status: null }) - 1;
      const result = await fetch(url, options);
      requests[at] = { method: options?.method ?? 'GET', url, status: result.ok ? result.status : null };
      return result;
    },
  };
}

/** Fetches only what the findings need. */
async function refetch(
  document: FindingsDocument,
  items: readonly Item[],
  options: VerifyOptions,
  env: CrawlEnv,
): Promise<Crawl> {
  const start = document.pages[0]?.url ?? document.url;
  const wanted = (await inSlices(wantedBy(document, items), clockOf(env))) as Wanted;
  const { urls, fetched, leading } = wanted;
  const keyOf = (page: CrawledPage): string => dedupeKey(page.from === 'start' ? start : page.url);
  const named: NamedPages = {
    urls: [...urls.values()],
    fetches: (page, kind) => fetched.get(keyOf(page))?.has(kind) === true,
    leads: (facts, outcome) => [...(leading.get(dedupeKey(facts.url)) ?? [])].flatMap((leads) => leads(facts, outcome)),
  };
  const allNeeds = items.map(({ needs }) => needs);
  const isMoved = new URL(start).origin !== new URL(document.url).origin && urls.has(dedupeKey(start));
  const maxMs = options.maxMs ?? MAX_MS;
  const parts = {
    start: isMoved || allNeeds.some(({ pages, probes }) => pages === 'start' || probes !== undefined),
    sitemaps: allNeeds.some(({ sitemaps }) => sitemaps === true),
    probes: [...new Set(allNeeds.flatMap(({ probes }) => probes ?? []))],
  };
  const discovery = await discover(urls.has(dedupeKey(start)) ? document.url : start, env, parts, maxMs);
  return crawlSite(
    discovery,
    {
      maxPages: named.urls.length + MAX_LEADS,
      maxMs,
      maxBytes: MAX_BYTES,
      concurrency: options.concurrency ?? 4,
      maxLinkChecks: MAX_LINKS,
      maxFileChecks: MAX_FILES,
      askAsAiBot: allNeeds.some(({ asksAsAiBot }) => asksAsAiBot === true),
      askAsOthers: options.askAsOthers !== false,
      only: named,
      ...(options.onProgress ? { onProgress: options.onProgress } : {}),
    },
    env,
  );
}

/** What to fetch, by the keys of pages. */
type Wanted = {
  readonly urls: Map<string, string>;
  readonly fetched: Map<string, Set<string>>;
  readonly leading: Map<string, Set<NonNullable<RecheckNeeds['leads']>>>;
};

function* wantedBy(document: FindingsDocument, items: readonly Item[]): Pausable<Wanted> {
  const wanted: Wanted = { urls: new Map(), fetched: new Map(), leading: new Map() };
  const { pagesOf } = namingPages(document);
  const seen = new Set<NamedForCheck>();
  for (const { finding, needs } of items) {
    const named = pagesOf(finding, needs);
    if (seen.has(named)) continue;
    seen.add(named);
    for (const { key, asked } of named.pages) {
      yield;
      wanted.urls.set(key, asked);
      for (const kind of needs.fetches ?? []) entry(wanted.fetched, key, () => new Set<string>()).add(kind);
      if (needs.leads) entry(wanted.leading, key, () => new Set()).add(needs.leads);
    }
  }
  return wanted;
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

/** A page's key, and the address to request: of the start page the submitted one, to get all its redirects. */
type NamedPage = { readonly key: string; readonly asked: string };

type Naming = {
  readonly named: (url: string) => NamedPage;
  /** The pages that a finding needs. Findings of one check that need the same pages get the same list. */
  readonly pagesOf: (finding: FindingRecord, needs: RecheckNeeds) => NamedForCheck;
};
type NamedForCheck = { readonly pages: readonly NamedPage[]; readonly asked: readonly string[] };

function namingPages(document: FindingsDocument): Naming {
  const start = document.pages[0]?.url ?? document.url;
  const startKey = dedupeKey(start);
  const known = new Map<string, NamedPage>();
  const lists = new Map<string, NamedForCheck>();
  const named = (url: string): NamedPage => {
    const present = known.get(url);
    if (present) return present;
    const key = dedupeKey(url);
    const page = { key, asked: document.pages.length > 0 && key === startKey ? document.url : url };
    known.set(url, page);
    return page;
  };
  return {
    named,
    pagesOf: ({ checkId, evidence, edit }, needs) => {
      const kind = needs.pages ?? 'own';
      const changed = edit?.on === undefined ? [] : [edit.on];
      const id =
        kind === 'own' || kind === 'own-and-start' || changed.length > 0
          ? [checkId, evidence.url, ...changed].join(' ')
          : checkId;
      const present = lists.get(id);
      if (present) return present;
      const pages = [...new Set([...pagesFor(kind, checkId, evidence.url), ...changed])].map(named);
      const list = { pages, asked: [...new Set(pages.map(({ asked }) => asked))] };
      lists.set(id, list);
      return list;
    },
  };

  function pagesFor(kind: NonNullable<RecheckNeeds['pages']>, checkId: string, url: string): readonly string[] {
    switch (kind) {
      case 'none':
        return [];
      case 'start':
        return [start];
      case 'own-and-start':
        return [start, url];
      case 'own':
        return [url];
      case 'found':
        return document.findings.filter((finding) => finding.checkId === checkId).map(({ evidence }) => evidence.url);
      case 'all':
        return [start, ...document.pages.filter((page) => page.audited).map((page) => page.url)];
    }
  }
}

/** In slices, so that other work proceeds. */
export async function rejudge(input: ToVerify, crawl: Crawl, run: RejudgeRun): Promise<readonly VerifiedFinding[]> {
  const { document } = input;
  const { signal } = run;
  const inTime = async <T>(work: Pausable<T>): Promise<T> => {
    const done = await inSlices(work, clockOf(run), () => signal?.aborted === true);
    if (done === null) throw signal?.reason;
    return done;
  };
  const items = itemsOf(input);
  const ids = new Set(items.map(({ finding }) => finding.checkId));
  const { findings, outcomes, cutShort } = await runChecksInSlices(
    crawl,
    { ...run, endsAt: run.now() + CHECKS_MS },
    CHECKS.filter(({ id }) => ids.has(id)),
    run.siteBytes === undefined ? LIMITS : { ...LIMITS, bytes: 2 * findingsBytes(run.siteBytes) },
  );
  const cut = new Set(document.outcomes.filter(({ omitted }) => omitted > 0).map(({ checkId }) => checkId));
  // All earlier findings of the same checks, so that one of them is not mistaken for a moved place.
  const before = document.findings.filter(({ checkId }) => ids.has(checkId));
  const matching = matchingFindings(before, findings, (checkId) => cut.has(checkId));
  const pairs = await inTime(matching);
  const byId = new Map(outcomes.map((outcome) => [outcome.checkId, outcome]));
  const naming = namingPages(document);
  const stateOf = ({ finding, check, needs }: Item): VerifiedFinding => {
    const now = pairs.get(finding);
    if (now)
      return {
        finding,
        state: 'still_there',
        because: needs.pages === 'all' ? 'only pages of the earlier audit were read' : null,
        now,
      };
    if (check === undefined) return unseen(finding, 'this version does not have the check');
    if (cutShort) return unseen(finding, 'the time ran out before all checks had run');
    if ((byId.get(check.id)?.omitted ?? 0) > 0)
      return unseen(finding, 'there are more findings of this kind than could be kept');
    const because = whyNotSeen({
      finding,
      url: naming.named(finding.evidence.url).asked,
      check,
      needs,
      crawl,
      outcome: byId.get(check.id),
      named: naming.pagesOf(finding, needs).asked,
    });
    return because === null ? { finding, state: 'fixed', because, now: null } : unseen(finding, because);
  };
  return inTime(allOf(items, stateOf));
}

function* allOf<T, R>(items: readonly T[], of: (item: T) => R): Pausable<R[]> {
  const all: R[] = [];
  for (const item of items) {
    all.push(of(item));
    yield;
  }
  return all;
}

function unseen(finding: FindingRecord, because: string): VerifiedFinding {
  return { finding, state: 'not_checked', because, now: null };
}

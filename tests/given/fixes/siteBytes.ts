/** A site as its bytes: what every address answers. Recorded once, then changed and audited without a network. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { type AuditResult, audit } from '../../../src/audit/audit.ts';
import type { PageFacts } from '../../../src/audit/facts/pageFacts.ts';
import { type ParseInput, parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { NameNotResolved } from '../../../src/integrations/fetcher/resolveHost.ts';
import type {
  FetchAnswer,
  FetchError,
  Fetcher,
  FetchHop,
  FetchOptions,
  FetchResult,
} from '../../../src/model/fetching.ts';
import { pathsOf, startSite } from '../../servers/siteServer.ts';

export type SiteAnswer = Pick<FetchAnswer, 'status' | 'headers' | 'body' | 'transferBytes'>;
/** What an address answers, without following redirects. */
export type SiteBytes = (url: string) => SiteAnswer | FetchError;
export type GivenSite = { readonly name: string; readonly start: string; readonly bytes: SiteBytes };

const AGENT = 'SeoAuditTest/1.0';
const MAX_REDIRECTS = 5;

export const locationOf = ({ headers }: SiteAnswer): string | null => headers.location?.[0] ?? null;

/** Answers from the bytes alone. */
export function fetchFrom(site: SiteBytes): Fetcher {
  return (url, options) => Promise.resolve(answered(site, url, options));
}

function answered(site: SiteBytes, requestedUrl: string, options: FetchOptions = {}): FetchResult {
  const { method = 'GET', maxBytes = Number.POSITIVE_INFINITY, cut = false, maxRedirects = MAX_REDIRECTS } = options;
  const hops: FetchHop[] = [];
  let url = requestedUrl;
  for (;;) {
    const answer = site(url.split('#', 1)[0] ?? '');
    if ('failure' in answer) return { ...answer, requestedUrl, url, hops };
    const location = locationOf(answer);
    const isRedirect = answer.status >= 300 && answer.status < 400 && location !== null;
    if (isRedirect && maxRedirects > 0) {
      hops.push({ url, status: answer.status, location });
      const failed = { ok: false, requestedUrl, url, message: 'The redirects do not end.', hops } as const;
      url = new URL(location, url).href;
      if (hops.some((hop) => hop.url === url)) return { ...failed, failure: 'redirect_loop' };
      if (hops.length > maxRedirects) return { ...failed, failure: 'too_many_redirects' };
      continue;
    }
    const { status, headers, transferBytes } = answer;
    const body = method === 'HEAD' ? new Uint8Array() : answer.body.slice(0, maxBytes);
    const isLonger = method !== 'HEAD' && answer.body.length > maxBytes;
    if (isLonger && !cut)
      return { ok: false, requestedUrl, url, failure: 'too_large', message: 'The answer is too large.', hops };
    const times = { ttfbMs: 0, totalMs: 0, httpVersion: '1.1' };
    return { ok: true, requestedUrl, url, status, headers, hops, body, truncated: isLonger, transferBytes, ...times };
  }
}

const NOT_FOUND: SiteAnswer = {
  status: 404,
  headers: { 'content-type': ['text/html; charset=utf-8'] },
  body: new TextEncoder().encode('<!doctype html><title>Not found</title>'),
  transferBytes: 40,
};

/** A fixture site, as its server answers. */
export async function fixtureSite(name: string): Promise<GivenSite> {
  const site = await startSite(name);
  const loopback = Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);
  const fetch = createFetcher({
    allowHosts: site.hosts,
    userAgent: AGENT,
    now: () => 0,
    resolve: (host) =>
      site.hosts.some((known) => known.startsWith(`${host}:`))
        ? loopback
        : Promise.reject(new NameNotResolved('not_found')),
  });
  const bytes = new Map<string, SiteAnswer | FetchError>();
  const keep = async (url: string): Promise<void> => {
    if (bytes.has(url)) return;
    const result = await fetch(url, { maxRedirects: 0 });
    bytes.set(url, result);
    const location = result.ok ? locationOf(result) : null;
    if (location !== null && URL.canParse(location, url)) await keep(new URL(location, url).href);
  };
  const answers: SiteBytes = (url) => bytes.get(url) ?? NOT_FOUND;
  const start = `${site.origin}/`;
  try {
    for (const path of pathsOf(name)) await keep(new URL(path, start).href);
    // And whatever else an audit asks for.
    await auditOf(start, async (url, options) => {
      await keep(url.split('#', 1)[0] ?? '');
      return answered(answers, url, options);
    });
    return { name, start, bytes: answers };
  } finally {
    await Promise.all([fetch.close(), site.close()]);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** A folder of HTML files, as a plain web server answers. */
export function folderSite(name: string, folder: string, origin: string): GivenSite {
  const bytes: SiteBytes = (url) => {
    const { pathname } = new URL(url);
    const file = join(
      folder,
      normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)),
    );
    if (!url.startsWith(`${origin}/`) || !existsSync(file)) return NOT_FOUND;
    if (statSync(file).isDirectory()) return { ...NOT_FOUND, status: 301, headers: { location: [`${pathname}/`] } };
    const body = new Uint8Array(readFileSync(file));
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    return { status: 200, headers: { 'content-type': [type], server: ['nginx'] }, body, transferBytes: body.length };
  };
  return { name, start: `${origin}/`, bytes };
}

export const auditBytes = (start: string, site: SiteBytes): Promise<AuditResult> => auditOf(start, fetchFrom(site));

function auditOf(start: string, fetch: Fetcher): Promise<AuditResult> {
  return audit(
    start,
    { maxPages: 25, maxMs: 60_000, maxBytes: 50_000_000, concurrency: 4, askAsAiBot: true, askAsOthers: true },
    {
      fetch,
      parse: async (input) => parsed(input),
      now: () => Date.parse('2026-03-01T12:00:00Z'),
      sleep: () => Promise.resolve(),
      yieldToEventLoop: () => Promise.resolve(),
      userAgent: AGENT,
    },
  );
}

/** Between two audits, hardly any page differs. */
const known = new Map<string, PageFacts>();

function parsed(input: ParseInput): PageFacts {
  const key = `${input.url}\n${input.contentType}\n${Buffer.from(input.body).toString('latin1')}`;
  const facts = known.get(key) ?? parsePage(input);
  known.set(key, facts);
  return facts;
}

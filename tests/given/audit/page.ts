/** Crawls of small HTML texts, through the real parser. */
import { parseRobots } from '../../../src/audit/crawl/robots/robots.ts';
import type {
  AgentAnswer,
  Crawl,
  CrawledPage,
  CrawlStop,
  FetchOutcome,
  FileCheck,
  LinkCheck,
  SitemapFile,
  SitemapUrl,
} from '../../../src/audit/crawl/site.ts';
import { parsePage } from '../../../src/audit/facts/parse/parsePage.ts';
import type { FetchFailure, FetchHop } from '../../../src/model/fetching.ts';

export const SITE = 'https://example.com';

type Headers = Readonly<Record<string, string | readonly string[]>>;

export type GivenAnswer = {
  readonly url?: string;
  readonly status?: number;
  readonly headers?: Headers;
  readonly hops?: readonly FetchHop[];
  readonly finalUrl?: string;
  readonly failure?: FetchFailure;
  readonly bytes?: number;
  readonly ttfbMs?: number;
  readonly truncated?: boolean;
  readonly httpVersion?: string;
  /** ISO. */
  readonly certificateEnds?: string;
};

export type GivenPage = GivenAnswer & {
  readonly html?: string;
  readonly from?: CrawledPage['from'];
  readonly depth?: number | null;
  readonly robotsBlocked?: boolean;
};

const HTML_TYPE = 'text/html; charset=utf-8';

export function givenAnswer(given: GivenAnswer & { readonly url: string }): FetchOutcome {
  const { url, status = 200, headers = {}, hops = [], finalUrl = url, failure } = given;
  const lists = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]);
  return {
    requestedUrl: url,
    url: finalUrl,
    status: failure === undefined ? status : null,
    headers: Object.fromEntries(lists),
    hops,
    failure: failure ?? null,
    message: failure === undefined ? null : `it failed (${failure})`,
    bytes: given.bytes ?? 0,
    transferBytes: given.bytes ?? 0,
    truncated: given.truncated ?? false,
    ttfbMs: given.ttfbMs ?? 50,
    totalMs: 60,
    httpVersion: given.httpVersion ?? '2',
    ...(given.certificateEnds === undefined ? {} : { certificateEnds: given.certificateEnds }),
  };
}

/** `url` may be a path. With `html` and a 2xx status the page has facts. */
export function givenPage(given: GivenPage | string, origin: string = SITE, first = true): CrawledPage {
  const page: GivenPage = typeof given === 'string' ? { html: given } : given;
  const url = new URL(page.url ?? '/', origin).href;
  const headers = { 'content-type': HTML_TYPE, ...page.headers };
  const body = new TextEncoder().encode(page.html ?? '');
  const outcome = givenAnswer({ ...page, url, headers, bytes: page.bytes ?? body.length });
  const isPage =
    page.html !== undefined && page.failure === undefined && (page.status ?? 200) < 300 && page.robotsBlocked !== true;
  const contentType = Array.isArray(headers['content-type']) ? headers['content-type'][0] : headers['content-type'];
  return {
    url,
    depth: page.depth === undefined ? (first ? 0 : 1) : page.depth,
    from: page.from ?? (first ? 'start' : 'link'),
    outcome,
    facts: isPage
      ? parsePage({ url: outcome.url, body, contentType: (contentType as string | undefined) ?? null })
      : null,
    robotsBlocked: page.robotsBlocked ?? false,
  };
}

export type GivenSite = {
  readonly origin?: string;
  readonly pages?: readonly (GivenPage | string)[];
  /** The text, or the response for the file. */
  readonly robots?: string | (GivenAnswer & { readonly text?: string });
  readonly sitemaps?: readonly (Partial<SitemapFile> & {
    readonly locs?: readonly (string | (Omit<SitemapUrl, 'lastmod'> & { readonly lastmod?: string | null }))[];
    readonly status?: number;
  })[];
  readonly llmsTxt?: string | GivenAnswer | null;
  readonly httpTwin?: GivenAnswer | null;
  readonly wwwTwin?: GivenAnswer | null;
  readonly missingPage?: GivenAnswer | null;
  readonly missingTitle?: string;
  readonly favicon?: GivenAnswer | null;
  readonly linkChecks?: readonly (GivenAnswer & { readonly url: string; readonly kind?: LinkCheck['kind'] })[];
  readonly fileChecks?: readonly (GivenAnswer & { readonly url: string } & Pick<FileCheck, 'kind'> &
    Partial<Pick<FileCheck, 'image' | 'problem' | 'text'>>)[];
  readonly aiBotAnswer?: GivenAnswer & { readonly challenged?: boolean };
  /** `url`: of the page, default the start page. */
  readonly agentAnswers?: readonly (GivenPage & Pick<AgentAnswer, 'agent'>)[];
  readonly stop?: CrawlStop;
  readonly startedAt?: string;
};

function probe(given: GivenAnswer | null | undefined, url: string, usual: GivenAnswer): FetchOutcome | null {
  return given === null ? null : givenAnswer({ url, ...(given ?? usual) });
}

function robotsOf(given: GivenSite['robots'], origin: string): Crawl['discovery']['robots'] {
  const file = typeof given === 'object' ? given : { text: given ?? 'User-agent: *\nDisallow: /private/\n' };
  const text = file.text ?? '';
  const outcome = givenAnswer({ bytes: text.length, ...file, url: `${origin}/robots.txt` });
  const { status } = outcome;
  const verdict = status === null || status >= 500 ? 'disallow_all' : status >= 400 ? 'allow_all' : 'rules';
  return {
    outcome,
    text,
    verdict,
    looksLikeHtml: /^\s*<(?:!doctype|html)/i.test(text),
    sitemaps: parseRobots(text).sitemaps.map(({ url }) => url),
  };
}

function sitemapOf(given: NonNullable<GivenSite['sitemaps']>[number], origin: string): SitemapFile {
  const { locs = [], status = 200, ...rest } = given;
  const url = given.url ?? `${origin}/sitemap.xml`;
  const urls = locs.map((entry) =>
    typeof entry === 'string'
      ? { loc: new URL(entry, origin).href, lastmod: null }
      : { lastmod: null, ...entry, loc: new URL(entry.loc, origin).href },
  );
  return {
    url,
    from: 'guess',
    outcome: givenAnswer({ url, status }),
    kind: status === 200 ? 'urlset' : 'invalid',
    error: null,
    bytes: 500,
    urlCount: urls.length,
    urls,
    ...rest,
  };
}

function fileCheckOf(
  { kind, image = null, problem = null, text = '', ...answer }: NonNullable<GivenSite['fileChecks']>[number],
  origin: string,
): FileCheck {
  const url = new URL(answer.url, origin).href;
  return { url, kind, outcome: givenAnswer({ ...answer, url }), image, problem, text };
}

export function givenSite(given: GivenSite | string = {}): Crawl {
  const site: GivenSite = typeof given === 'string' ? { pages: [given] } : given;
  const origin = site.origin ?? SITE;
  const bare = origin.replace(/^https?:\/\//, '');
  const llms = typeof site.llmsTxt === 'string' ? { status: 200 } : site.llmsTxt;
  return {
    discovery: {
      startUrl: `${origin}/`,
      origin,
      robots: robotsOf(site.robots, origin),
      sitemaps: (site.sitemaps ?? []).map((sitemap) => sitemapOf(sitemap, origin)),
      llmsTxt:
        llms === null
          ? null
          : {
              outcome: givenAnswer({ status: 404, ...llms, url: `${origin}/llms.txt` }),
              text: typeof site.llmsTxt === 'string' ? site.llmsTxt : '',
            },
      probes: {
        httpTwin: probe(site.httpTwin, `http://${bare}/`, {
          finalUrl: `${origin}/`,
          hops: [{ url: `http://${bare}/`, status: 301, location: `${origin}/` }],
        }),
        wwwTwin: probe(site.wwwTwin, `${origin.replace('://', '://www.')}/`, { failure: 'dns' }),
        missingPage: probe(site.missingPage, `${origin}/0123456789abcdef-not-here`, { status: 404 }),
        favicon: probe(site.favicon, `${origin}/favicon.ico`, { headers: { 'content-type': 'image/x-icon' } }),
      },
      ...(site.missingTitle === undefined ? {} : { missingTitle: site.missingTitle }),
    },
    pages: (site.pages ?? []).map((page, index) => givenPage(page, origin, index === 0)),
    linkChecks: (site.linkChecks ?? []).map(({ kind = 'internal', ...answer }) => {
      const url = new URL(answer.url, origin).href;
      return { url, kind, outcome: givenAnswer({ ...answer, url }) };
    }),
    ...(site.fileChecks === undefined ? {} : { fileChecks: site.fileChecks.map((file) => fileCheckOf(file, origin)) }),
    ...(site.aiBotAnswer === undefined
      ? {}
      : {
          aiBotAnswer: {
            outcome: givenAnswer({ ...site.aiBotAnswer, url: `${origin}/` }),
            challenged: site.aiBotAnswer.challenged ?? false,
          },
        }),
    ...(site.agentAnswers === undefined
      ? {}
      : {
          agentAnswers: site.agentAnswers.map(({ agent, ...answer }) => {
            const { outcome, facts } = givenPage(answer, origin);
            return { agent, page: outcome.requestedUrl, outcome, facts };
          }),
        }),
    coverage: {
      stop: site.stop ?? 'complete',
      notFetched: 0,
      traps: [],
      startedAt: site.startedAt ?? '2026-03-01T12:00:00.000Z',
      durationMs: 1000,
      bytes: 1000,
    },
  };
}

/** Text of about this many words, varied enough not to count as keyword stuffing. */
export function words(count: number, seed = 'word'): string {
  return Array.from(
    { length: count },
    (_, index) => `${seed}${(index * 7919) % 997} ${index % 9 === 8 ? 'ends.' : ''}`,
  ).join(' ');
}

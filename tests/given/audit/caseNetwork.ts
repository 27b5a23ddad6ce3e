/** A network that answers like a given site: its pages, its files, and its redirects. */
import type { Crawl, FetchOutcome } from '../../../src/audit/crawl/site.ts';
import { dedupeKey } from '../../../src/audit/crawl/url.ts';
import type { Fetcher, FetchResult } from '../../../src/model/fetching.ts';
import { type GivenSite, givenSite } from './page.ts';

type Answer = { readonly outcome: FetchOutcome; readonly body: string };

export function caseNetwork(given: GivenSite | string, crawl: Crawl = givenSite(given)): Fetcher {
  const site: GivenSite = typeof given === 'string' ? { pages: [given] } : given;
  const { discovery } = crawl;
  const answers = new Map<string, Answer>();
  const add = (url: string, outcome: FetchOutcome | null, body = ''): void => {
    if (outcome && !answers.has(dedupeKey(url))) answers.set(dedupeKey(url), { outcome, body });
  };
  add(discovery.robots.outcome.requestedUrl, discovery.robots.outcome, discovery.robots.text);
  crawl.pages.forEach((page, index) => {
    const told = site.pages?.[index];
    if (!page.robotsBlocked) add(page.outcome.requestedUrl, page.outcome, typeof told === 'string' ? told : told?.html);
  });
  for (const sitemap of discovery.sitemaps)
    add(sitemap.url, sitemap.outcome, sitemap.kind === 'invalid' ? '<broken' : xml(sitemap));
  if (discovery.llmsTxt) add(discovery.llmsTxt.outcome.requestedUrl, discovery.llmsTxt.outcome, discovery.llmsTxt.text);
  for (const probe of [discovery.probes.httpTwin, discovery.probes.wwwTwin, discovery.probes.favicon])
    if (probe) add(probe.requestedUrl, probe);
  for (const { url, outcome } of crawl.linkChecks) add(url, outcome);
  for (const { url, outcome, text, kind, problem } of crawl.fileChecks ?? [])
    add(url, outcome, kind === 'feed' && problem === null ? FEED : text);
  const missing = discovery.probes.missingPage;
  return async (url, options) => {
    const userAgent = options?.headers?.['user-agent'] ?? '';
    const asked = OTHERS.find(([name]) => userAgent.includes(name))?.[1];
    // All pages of a template get one answer, whichever of them was asked for.
    const all = (crawl.agentAnswers ?? []).map((answer, at) => ({ ...answer, body: site.agentAnswers?.[at]?.html }));
    const ofAgent = all.filter(({ agent }) => agent === asked);
    const other = ofAgent.find(({ page }) => page === url) ?? ofAgent[0];
    if (other) {
      const finalUrl = other.outcome.url === other.page ? url : other.outcome.url;
      return result({ outcome: { ...other.outcome, url: finalUrl }, body: other.body ?? '' }, url);
    }
    const asBot = userAgent.includes('OAI-SearchBot') && crawl.aiBotAnswer;
    if (asBot)
      return result({ outcome: asBot.outcome, body: asBot.challenged ? '<title>Just a moment...</title>' : '' }, url);
    const answer = answers.get(dedupeKey(url));
    if (answer) return result(answer, url);
    const isMissing = url.endsWith('-not-here') && missing;
    return result(
      {
        outcome: isMissing ? { ...missing, url: missing.url.replace(missing.requestedUrl, url) } : { ...NOTHING, url },
        body: isMissing && discovery.missingTitle ? `<title>${discovery.missingTitle}</title>` : '',
      },
      url,
    );
  };
}

const OTHERS = [
  ['Googlebot', 'googlebot'],
  ['Mobile Safari', 'phone'],
] as const;

const NOTHING: Omit<FetchOutcome, 'url' | 'requestedUrl'> & { readonly requestedUrl: string } = {
  requestedUrl: '',
  status: 404,
  headers: {},
  hops: [],
  failure: null,
  message: null,
  bytes: 0,
  transferBytes: 0,
  truncated: false,
  ttfbMs: 10,
  totalMs: 10,
  httpVersion: '2',
};

const FEED =
  '<rss version="2.0"><channel><title>Tea</title><item><title>Green</title><link>https://example.com/green</link></item></channel></rss>';
const MOST_PADDED = 5_000_000;

function result({ outcome, body }: Answer, requestedUrl: string): FetchResult {
  const { url, hops, failure, message, status } = outcome;
  if (status === null)
    return { ok: false, requestedUrl, url, failure: failure ?? 'reset', message: message ?? '', hops };
  // Padded with spaces to the declared length of the body.
  const text = outcome.bytes > body.length && outcome.bytes <= MOST_PADDED ? body.padEnd(outcome.bytes) : body;
  return { ...outcome, ok: true, requestedUrl, status, body: new TextEncoder().encode(text) };
}

function xml({ kind, urls }: Crawl['discovery']['sitemaps'][number]): string {
  const [list, entry] = kind === 'index' ? ['sitemapindex', 'sitemap'] : ['urlset', 'url'];
  const entries = urls.map(
    ({ loc, lastmod, images = [], news, videoLacks }) =>
      `<${entry}><loc>${loc.replaceAll('&', '&amp;')}</loc>${lastmod === null ? '' : `<lastmod>${lastmod}</lastmod>`}${images.map((image) => `<image:image><image:loc>${image}</image:loc></image:image>`).join('')}${news === undefined ? '' : `<news:news>${news.date === null ? '' : `<news:publication_date>${news.date}</news:publication_date>`}${news.titled ? '<news:title>Tea</news:title>' : ''}</news:news>`}${videoLacks === undefined ? '' : '<video:video></video:video>'}</${entry}>`,
  );
  return `<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</${list}>`;
}

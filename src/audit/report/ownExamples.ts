/**
 * Writes catalog examples for one site: one writer per check whose example contains pages, files or names of the site.
 */

import type { Finding } from '../../model/findings.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { HtmlPage } from '../checks/check.ts';
import { INDEXING_BOTS } from '../checks/lookups/directives.ts';
import { linkPlace } from '../checks/lookups/places.ts';
import { exactPattern, unblocking } from '../checks/lookups/serverCode.ts';
import {
  cut,
  descriptionOf,
  headingOf,
  html,
  jsonLd,
  pictureOf,
  siteNameOf,
  titleOf,
} from '../checks/lookups/siteCode.ts';
import { siteIndex } from '../checks/lookups/siteIndex.ts';
import { TRAP_LIMITS } from '../crawl/frontier/traps.ts';
import type { RobotsRules } from '../crawl/robots/robots.ts';
import type { Crawl } from '../crawl/site.ts';
import type { Pausable } from '../timeSlices.ts';

export type OwnSite = {
  readonly origin: string;
  readonly host: string;
  readonly start: HtmlPage | null;
  /** An audited page by URL; null for other addresses. */
  readonly page: (url: string) => HtmlPage | null;
  readonly pages: readonly HtmlPage[];
  readonly robots: RobotsRules;
};

/** Null if no code would help here. Pausable where a single finding may need a lot of work. */
type Writer = (finding: Finding, site: OwnSite) => string | null | Pausable<string | null>;

export function ownSite(crawl: Crawl): OwnSite {
  const { htmlPages, robots } = siteIndex(crawl);
  const { origin } = crawl.discovery;
  const byUrl = new Map<string, HtmlPage>();
  for (const page of htmlPages)
    for (const url of [page.outcome.requestedUrl, page.outcome.url, page.url])
      if (!byUrl.has(url)) byUrl.set(url, page);
  return {
    origin,
    host: new URL(origin).host,
    start: htmlPages.find((page) => page.from === 'start') ?? null,
    page: (url) => byUrl.get(url) ?? null,
    pages: htmlPages,
    robots,
  };
}

const MAX_NAME = 60;
const LLMS_PAGES = 6;
const FAQ_QUESTIONS = 5;

export const OWN_EXAMPLES: Readonly<Record<string, Writer>> = {
  'event-schema': (finding, site) => described(finding, site, 'Event', { startDate: '2026-06-01T19:00+02:00' }),
  'faq-schema': ({ evidence }, site) => {
    const asked = (site.page(evidence.url)?.facts.headings ?? []).flatMap(({ text }) =>
      /[?？]$/.test(text.trim()) ? [text.trim()] : [],
    );
    if (asked.length === 0) return null;
    const mainEntity = asked
      .slice(0, FAQ_QUESTIONS)
      .map((name) => ({ '@type': 'Question', name, acceptedAnswer: { '@type': 'Answer', text: '...' } }));
    return jsonLd({ '@type': 'FAQPage', mainEntity });
  },
  'feed-missing': (_, { start, host }) =>
    `<link rel="alternate" type="application/rss+xml" href="/feed.xml" title="${html(cut(start === null ? host : siteNameOf(start), MAX_NAME))}">`,
  'hreflang-invalid-code': hreflangCode,
  'hreflang-invalid-region': hreflangCode,
  'html-lang-invalid': languageCode,
  'html-lang-missing': languageCode,
  'link-text-generic': (finding, site) => {
    const link = site.page(finding.evidence.url)?.facts.links.find((one) => linkPlace(one) === finding.evidence.place);
    const target = link?.url == null ? null : site.page(link.url);
    if (link?.url == null || target === null) return null;
    return `<a href="${html(relative(link.url, site))}">${html(cut(headingOf(target), MAX_NAME))}</a>`;
  },
  'llms-txt-invalid': (_, { start, pages, host }) => {
    const line = (text: string): string => text.replace(/[[\]<>]/g, '');
    const about = start === null ? '' : line(descriptionOf(start));
    const head = `# ${start === null ? host : line(siteNameOf(start))}${about === '' ? '' : `\n\n> ${about}`}`;
    return `${head}\n\n## Pages\n\n${pages
      .slice(0, LLMS_PAGES)
      .map((page) => `- [${line(titleOf(page))}](${page.outcome.url})`)
      .join('\n')}`;
  },
  'meta-refresh-redirect': ({ evidence }) => {
    const target = /url\s{0,5}=\s{0,5}['"]?([^\s'"]{1,500})/i.exec(evidence.value)?.[1] ?? '';
    const url = target === '' ? null : parseUrl(target, evidence.url);
    return url && `return 301 ${url.href};`;
  },
  'page-http-error': ({ evidence }, site) => {
    const living = nearestLiving(evidence.url, site);
    return /^(?:404|410)$/.test(evidence.value) && living !== null
      ? `HTTP/1.1 301 Moved Permanently\nLocation: ${living}`
      : null;
  },
  'recipe-schema': (finding, site) => described(finding, site, 'Recipe', { totalTime: 'PT45M' }),
  'render-blocking': ({ evidence }, site) => {
    const script = site
      .page(evidence.url)
      ?.facts.resources.find((resource) => resource.blocking && resource.kind === 'script');
    return script === undefined ? null : `<script src="${html(relative(script.url, site))}" defer></script>`;
  },
  // Null where the rule needs more than the two addresses.
  'redirect-chain': () => null,
  'robots-blocks-page': ({ evidence }, { robots }) =>
    unblocking(
      evidence.url,
      robots,
      INDEXING_BOTS.map((bot) => bot ?? '*'),
      [exactPattern(evidence.url)],
    ),
  'robots-blocks-resources': ({ evidence }, { robots }) => {
    const file = exactPattern(evidence.value);
    return unblocking(evidence.value, robots, ['Googlebot'], [file.slice(0, file.lastIndexOf('/') + 1), file]);
  },
  // The evidence names each invalid line: a sample rule for an unrelated path would only confuse.
  'robots-syntax': () => null,
  'social-profiles-missing': () => '"sameAs": ["https://www.linkedin.com/company/your-company"]',
  'too-many-third-parties': ({ evidence }) => {
    const [host = ''] = evidence.value.split(',', 1);
    return /^[\w.-]+(?::\d+)?$/.test(host) ? `<link rel="preconnect" href="https://${host}" crossorigin>` : null;
  },
  'uncrawlable-link': ({ evidence }, site) => {
    const anchor = site.page(evidence.url)?.facts.uncrawlableAnchors.find((one) => one.selector === evidence.place);
    return anchor === undefined || anchor.text === ''
      ? null
      : `<a href="/address-of-the-page">${html(cut(anchor.text, MAX_NAME))}</a>`;
  },
  'www-duplicate': ({ evidence }, { origin }) =>
    `server_name ${new URL(evidence.url).hostname}; return 301 ${origin}$request_uri;`,
};

function described({ evidence }: Finding, site: OwnSite, type: string, more: object): string | null {
  const page = site.page(evidence.url);
  if (page === null) return null;
  return jsonLd({
    '@type': type,
    name: cut(headingOf(page), 110),
    image: pictureOf(page) ?? undefined,
    url: page.outcome.url,
    ...more,
  });
}

/** The code of the language of the text; null if undetected. */
function languageCode({ evidence }: Finding, site: OwnSite): string | null {
  const language = site.page(evidence.url)?.facts.language?.code ?? site.start?.facts.language?.code;
  return language === undefined ? null : `<html lang="${language}">`;
}

/** Codes often used by mistake, with the correct ones. */
const MISTAKEN: Readonly<Record<string, string>> = {
  cn: 'zh',
  cz: 'cs',
  deu: 'de',
  dk: 'da',
  eng: 'en',
  esp: 'es',
  fra: 'fr',
  gb: 'en-GB',
  ger: 'de',
  gr: 'el',
  ita: 'it',
  jp: 'ja',
  kr: 'ko',
  por: 'pt',
  se: 'sv',
  spa: 'es',
  ua: 'uk',
  us: 'en-US',
};

/** Evidence value: `en-UK: /uk/`. */
function hreflangCode({ evidence }: Finding): string | null {
  const [, written = '', href = ''] = /^([^:\s]{1,40}):?\s{0,5}(.{0,500})/.exec(evidence.value) ?? [];
  const [language = '', region = ''] = written.split('-');
  const right =
    MISTAKEN[written.toLowerCase()] ??
    [MISTAKEN[language.toLowerCase()] ?? language, region.toUpperCase() === 'UK' ? 'GB' : region]
      .filter((part) => part !== '')
      .join('-');
  return right === written || href === ''
    ? null
    : `<link rel="alternate" hreflang="${html(right)}" href="${html(href)}">`;
}

/** The closest ancestor page that answers, or else the home page. */
function nearestLiving(url: string, { page, start }: OwnSite): string | null {
  const { origin, pathname } = new URL(url);
  // No page that the crawler looks for lies deeper.
  let path = pathname
    .split('/', TRAP_LIMITS.segments + 2)
    .join('/')
    .replace(/\/$/, '');
  while (path !== '') {
    path = path.slice(0, path.lastIndexOf('/'));
    const found = page(`${origin}${path}/`) ?? page(`${origin}${path}`);
    if (found !== null) return found.outcome.url;
  }
  return start === null || start.url === url ? null : start.outcome.url;
}

/** Drops the origin if it is the site's own. */
function relative(url: string, { origin }: OwnSite): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

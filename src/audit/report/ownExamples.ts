/**
 * Writes catalog examples for one site: one writer per check whose example contains pages, files or names of the site.
 */

import type { Finding } from '../../model/findings.ts';
import { parseUrl } from '../../model/parseUrl.ts';
import type { HtmlPage } from '../checks/check.ts';
import { INDEXING_BOTS } from '../checks/lookups/directives.ts';
import { linkPlace } from '../checks/lookups/places.ts';
import { exactPattern, unblocking } from '../checks/lookups/serverCode.ts';
import { cut, descriptionOf, headingOf, html, siteNameOf, titleOf } from '../checks/lookups/siteCode.ts';
import { siteIndex } from '../checks/lookups/siteIndex.ts';
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

export const OWN_CODE: Readonly<Record<string, Writer>> = {
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
  'www-duplicate': ({ evidence }, { origin }) =>
    `server_name ${new URL(evidence.url).hostname}; return 301 ${origin}$request_uri;`,
};

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

/** Drops the origin if it is the site's own. */
function relative(url: string, { origin }: OwnSite): string {
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

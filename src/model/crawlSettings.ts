/**
 * What a user may set for a crawl. Shared by forms, API, terminal, log and reports; plain functions, so that the web
 * app needs no validator.
 */
import { count } from './wording.ts';

export type CrawlSettings = {
  /** Pages at most. Absent: as many as the installation allows. */
  readonly maxPages?: number;
  /** Only pages below this path, such as `/blog/`. */
  readonly folder?: string;
  /** Only pages whose path and query match one of these; `*` matches anything, `$` the end, as in robots.txt. */
  readonly include?: readonly string[];
  /** No pages whose path and query match one of these. */
  readonly exclude?: readonly string[];
  /** Only the start page and what the sitemaps list: links are not followed. */
  readonly sitemapOnly?: true;
};

/** Whether they leave out pages on purpose. A limit of pages alone does not: what it keeps is a sample of the site. */
export function isPart(settings: CrawlSettings | null | undefined): boolean {
  return partKey(settings) !== WHOLE_SITE;
}

const WHOLE_SITE = JSON.stringify([null, [], [], false]);

/** The same for settings that let the same pages be read, however many. */
export function partKey(settings: CrawlSettings | null | undefined): string {
  const { folder = null, include = [], exclude = [], sitemapOnly = false } = settings ?? {};
  return JSON.stringify([folder, [...include].sort(), [...exclude].sort(), sitemapOnly]);
}

/** Why two audits' scores are not compared, as the end of a sentence. */
export const PARTS_DIFFER = 'the audits cover different parts of the site';

/** Shown of each list. */
const SHOWN = 3;

/** `/blog/ only, without /blog/tag/*, 40 pages`. `quoted` is applied to what the user wrote. */
export function settingsText(settings: CrawlSettings, quoted: (text: string) => string = (text) => text): string {
  const { folder, include = [], exclude = [], sitemapOnly, maxPages } = settings;
  const listed = (patterns: readonly string[]): string => {
    const more = patterns.length - SHOWN;
    return `${patterns
      .slice(0, SHOWN)
      .map((pattern) => quoted(pattern))
      .join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  return [
    ...(folder === undefined ? [] : [`${quoted(folder)} only`]),
    ...(include.length === 0 ? [] : [`only pages like ${listed(include)}`]),
    ...(exclude.length === 0 ? [] : [`without ${listed(exclude)}`]),
    ...(sitemapOnly ? ['only what the sitemap lists'] : []),
    ...(maxPages === undefined ? [] : [count(maxPages, 'page')]),
  ].join(', ');
}

/**
 * What a user may set for a crawl. Shared by forms, API, terminal, log and reports; plain functions, so that the web
 * app needs no validator.
 */
import { parseUrl } from './parseUrl.ts';
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

export const FOLDER_MAX_LENGTH = 200;
export const PATTERN_MAX_LENGTH = 200;
/** Of each list. */
export const PATTERNS_MAX = 20;

export const FOLDER_PROBLEM = `Please enter a path such as /blog/, with at most ${FOLDER_MAX_LENGTH} characters.`;
export const PATTERN_PROBLEM = `A pattern starts with / or *, has no spaces and no #, and at most ${PATTERN_MAX_LENGTH} characters, such as /blog/* or *?sort=.`;
export const TOO_MANY_PATTERNS = `Please enter at most ${PATTERNS_MAX} patterns.`;

/** `limit`: what the installation allows. */
export const pagesProblem = (limit: number): string =>
  `Please enter a whole number from 1 to ${limit.toLocaleString('en-US')}. This installation audits no more pages.`;

/** With a slash at both ends, escaped as in addresses; `/` stands for the whole site. Null if it is no path. */
export function folderOf(text: string): string | null {
  const path = text.trim();
  if (path.length > FOLDER_MAX_LENGTH || /[\s\\?#*]|:\/\//.test(path)) return null;
  const url = parseUrl(`http://site.invalid/${path.replace(/^\//, '')}`);
  if (!url || url.pathname.length > FOLDER_MAX_LENGTH) return null;
  return url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`;
}

export function isPattern(text: string): boolean {
  return text.length <= PATTERN_MAX_LENGTH && /^[/*][^\s#\p{C}]*$/u.test(text);
}

/** One pattern a line; blank lines and repetitions are dropped. */
export function patternsIn(text: string): readonly string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/** Without what sets nothing. Undefined if nothing is left. */
export function settingsOf({
  maxPages,
  folder,
  include = [],
  exclude = [],
  sitemapOnly,
}: {
  readonly maxPages?: number | undefined;
  readonly folder?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly sitemapOnly?: boolean | undefined;
}): CrawlSettings | undefined {
  const settings: CrawlSettings = {
    ...(maxPages === undefined ? {} : { maxPages }),
    ...(folder === undefined || folder === '/' ? {} : { folder }),
    ...(include.length === 0 ? {} : { include: [...new Set(include)] }),
    ...(exclude.length === 0 ? {} : { exclude: [...new Set(exclude)] }),
    ...(sitemapOnly ? { sitemapOnly } : {}),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

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
export const PARTS_DIFFER = 'the runs are of different parts of the site';

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

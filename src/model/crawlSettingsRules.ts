/** What users may enter as crawl settings, and what is wrong with anything else. */
import type { CrawlSettings } from './crawlSettings.ts';
import { parseUrl } from './parseUrl.ts';

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

/** Client-side reading of the crawl settings, loaded once there are any; the server applies the same rules. */
import type { CrawlSettings } from '../../../../src/model/crawlSettings.ts';
import {
  FOLDER_PROBLEM,
  folderOf,
  isPattern,
  PATTERN_PROBLEM,
  PATTERNS_MAX,
  pagesProblem,
  patternsIn,
  settingsOf,
  TOO_MANY_PATTERNS,
} from '../../../../src/model/crawlSettingsRules.ts';
import { cutMiddle } from '../../../ui/text/wording.ts';
import { type EnteredSettings, NO_SETTINGS, type SettingsProblems } from './enteredSettings.ts';

/** `limit`: pages that the installation allows; 0 if that is not known. */
export function readSettings(
  { maxPages, folder, include, exclude, sitemapOnly }: EnteredSettings,
  limit: number,
): { readonly settings: CrawlSettings | undefined; readonly problems: SettingsProblems } {
  const pages = maxPages.trim();
  const [included, excluded] = [patternsIn(include), patternsIn(exclude)];
  const isCount = /^[1-9]\d{0,5}$/.test(pages) && (limit === 0 || Number(pages) <= limit);
  const path = folderOf(folder);
  const found: SettingsProblems = {
    ...(pages === '' || isCount ? {} : { maxPages: limit === 0 ? NO_COUNT : pagesProblem(limit) }),
    ...(path === null ? { folder: FOLDER_PROBLEM } : {}),
    ...problemOf('include', included),
    ...problemOf('exclude', excluded),
  };
  const settings = settingsOf({
    maxPages: isCount ? Number(pages) : undefined,
    folder: path ?? undefined,
    include: included,
    exclude: excluded,
    sitemapOnly,
  });
  return { settings, problems: found };
}

const NO_COUNT = 'Please enter a whole number.';

function problemOf(name: 'include' | 'exclude', patterns: readonly string[]): SettingsProblems {
  if (patterns.length > PATTERNS_MAX) return { [name]: TOO_MANY_PATTERNS };
  const wrong = patterns.find((pattern) => !isPattern(pattern));
  return wrong === undefined ? {} : { [name]: `${cutMiddle(wrong, 40)}: ${PATTERN_PROBLEM}` };
}

/** The field that a path of the API's answer names; null if it is none of them. */
export function settingOf(path: string): keyof EnteredSettings | null {
  const name = path.replace(/^options\./, '').split('.', 1)[0] ?? '';
  return Object.hasOwn(NO_SETTINGS, name) ? (name as keyof EnteredSettings) : null;
}

/** Which addresses the settings of a crawl let it read. Pure; linear in the address, for any pattern. */
import type { CrawlSettings } from '../../../model/crawlSettings.ts';
import {
  capitalEscapes,
  compilePattern,
  escapePattern,
  type Pattern,
  pathOf,
  patternMatches,
  reachedBy,
} from '../robots/robotsPattern.ts';

/**
 * Whether an address lies in the folder and passes the patterns. The folder's own page counts without its last slash,
 * too.
 */
export function createPart({ folder, include = [], exclude = [] }: CrawlSettings = {}): (url: string) => boolean {
  const start = folder === undefined ? null : capitalEscapes(folder);
  const [included, excluded] = [include.map(compiled), exclude.map(compiled)];
  if (start === null && included.length + excluded.length === 0) return () => true;
  return (url) => {
    const path = capitalEscapes(pathOf(url));
    if (start !== null && !path.startsWith(start) && path.split('?', 1)[0] !== start.slice(0, -1)) return false;
    const reached = reachedBy(path);
    const matches = (pattern: Pattern): boolean => patternMatches(pattern, path, reached);
    return (included.length === 0 || included.some(matches)) && !excluded.some(matches);
  };
}

const compiled = (pattern: string): Pattern => compilePattern(escapePattern(pattern));

/** Line-by-line validation of robots.txt, following Lighthouse: stricter than crawlers, which tolerate a lot. */
import { parseUrl } from '../../../model/parseUrl.ts';
import { excerpt } from '../../excerpt.ts';
import { BLANK_LINE } from '../../facts/text/blanks.ts';

export type RobotsLineFault = { readonly line: number; readonly text: string; readonly problem: string };

const DIRECTIVES: ReadonlySet<string> = new Set(
  'user-agent disallow allow sitemap crawl-delay clean-param host request-rate visit-time noindex content-signal license'.split(
    ' ',
  ),
);

const MAX_FAULTS = 50;

function problemOf(name: string, value: string): string | null {
  if (!DIRECTIVES.has(name)) return `"${excerpt(name, 60)}" isn’t a directive crawlers know`;
  if (BLANK_LINE.test(value)) return 'an example was left open';
  if (name === 'sitemap') {
    const url = parseUrl(value);
    if (url === null) return 'the sitemap address is not absolute';
    return /^(?:https?|ftp):$/.test(url.protocol) ? null : 'the sitemap address isn’t an http or https address';
  }
  if (name === 'user-agent') return value === '' ? 'no crawler is named' : null;
  if (name !== 'allow' && name !== 'disallow') return null;
  if (value !== '' && value[0] !== '/' && value[0] !== '*') return 'the path begins neither with / nor with *';
  const dollar = value.indexOf('$');
  return dollar >= 0 && dollar !== value.length - 1 ? '$ is allowed only at the end of a path' : null;
}

export function robotsLineFaults(text: string): RobotsLineFault[] {
  const faults: RobotsLineFault[] = [];
  let inGroup = false;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (faults.length >= MAX_FAULTS) break;
    const line = (raw.split('#', 1)[0] ?? '').trim();
    if (line === '') continue;
    const colon = line.indexOf(':');
    const add = (problem: string): number => faults.push({ line: index + 1, text: excerpt(raw.trim(), 200), problem });
    if (colon < 0) {
      add('there is no colon between a directive and its value');
      continue;
    }
    const name = line.slice(0, colon).trim().toLowerCase();
    const problem = problemOf(name, line.slice(colon + 1).trim());
    if (problem !== null) add(problem);
    if (name === 'user-agent') inGroup = inGroup || problem === null;
    else if (!inGroup && (name === 'allow' || name === 'disallow')) add('it stands before any User-agent line');
  }
  return faults;
}

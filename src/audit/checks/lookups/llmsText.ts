/** Parses llms.txt, as far as its format allows. */

import type { Snippet } from '../../../model/findings.ts';
import { parseUrl } from '../../../model/parseUrl.ts';
import type { Crawl } from '../../crawl/site.ts';
import { VISIBLE_BLANK } from '../../facts/text/blanks.ts';
import { htmlPage, isOriginal } from '../applies.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { ownDescription, ownSubject, siteName } from './siteFacts.ts';
import { siteIndex } from './siteIndex.ts';
import { asFile } from './snippets.ts';

const MAX_LINKS = 200;

/** Null if the file is machine-readable. */
export function llmsTextProblem(raw: string): string | null {
  const text = raw.replace(/^\uFEFF/, '');
  if (/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) return 'it is a web page';
  if (VISIBLE_BLANK.test(text)) return 'an example was left open';
  if (!/^#\s+\S/m.test(text)) return 'there is no "# Title" line';
  if (!text.split('\n').some(hasLink)) return 'there is no markdown link';
  return text.length < THRESHOLDS.llmsTxtMin ? `it has ${text.length} characters` : null;
}

/** Contains a Markdown link, `[text](address)`. */
function hasLink(line: string): boolean {
  const open = line.indexOf('[');
  const middle = open < 0 ? -1 : line.indexOf('](', open + 2);
  return middle >= 0 && line.lastIndexOf(')') >= middle + 3;
}

/** The absolute addresses of its links. */
export function llmsLinks(text: string, url: string): readonly string[] {
  const links: string[] = [];
  for (const match of text.matchAll(/\]\(([^()\s]{1,2000})\)/g)) {
    const link = parseUrl(match[1] as string, url);
    if (link !== null) links.push(link.href);
    if (links.length >= MAX_LINKS) break;
  }
  return links;
}

/** Of more, a reader would pick no few that matter. */
const FILE_PAGES = 20;

/** A file that names the first pages of the site by their own titles; null if none has one. */
export function llmsFile(site: Crawl): Snippet | null {
  const { hostname } = new URL(site.discovery.origin);
  const name = siteName(site) ?? (/^[\d.[]/.test(hostname) ? null : hostname);
  const { start } = siteIndex(site);
  if (name === null || start === null || !htmlPage(start)) return null;
  const line = (text: string): string => text.replace(/[[\]<>]/g, '');
  const about = ownDescription(start, site);
  const lines = siteIndex(site)
    .htmlPages.slice(0, FILE_PAGES)
    .flatMap((page) => {
      const subject = isOriginal(page, site) ? ownSubject(page, site) : null;
      return subject === null ? [] : [`- [${line(subject)}](${page.outcome.url})`];
    });
  if (lines.length === 0) return null;
  const head = about === null ? `# ${line(name)}` : `# ${line(name)}\n\n> ${line(about)}`;
  const code = `${head}\n\n## Pages\n\n${lines.join('\n')}`;
  return llmsTextProblem(code) === null ? asFile('/llms.txt', code) : null;
}

/** Parses llms.txt, as far as its format allows. */
import { parseUrl } from '../../../model/parseUrl.ts';
import { THRESHOLDS } from '../thresholds.ts';

const MAX_LINKS = 200;

/** Null if the file is machine-readable. */
export function llmsTextProblem(raw: string): string | null {
  const text = raw.replace(/^\uFEFF/, '');
  if (/^\s*<(?:!doctype|html|head|body)\b/i.test(text)) return 'it is a web page';
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

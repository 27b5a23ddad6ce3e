/** What a snippet changes, in words. */
import type { Edit } from './findings.ts';
import { parseUrl } from './parseUrl.ts';

/** Characters of the place of code, which reports show whole: a part of it would be another place. */
export const LONGEST_PLACE = 500;

const isStartTag = (code: string): boolean => /^<[a-z][^>]*>$/i.test(code.trim());

/** `Add to the head`: what to do with the code, to be followed by a colon. `quote` marks selectors and addresses. */
export function editText({ edits, operation, at, on }: Edit, code: string, quote: (text: string) => string): string {
  const page = on === undefined ? '' : ` of ${quote(on)}`;
  switch (edits) {
    case 'head':
      if (operation === 'replace') return `Replace ${quote(at)} with this`;
      return at === 'head' ? `Add to the head${page}` : 'Add at the start of the head';
    case 'element':
      if (at === 'doctype') return 'Add at the very start of the page';
      if (operation === 'remove') return `Remove from ${quote(at)}`;
      if (operation === 'add') return `Add at the start of ${quote(at)}`;
      return isStartTag(code)
        ? /^<\w+>$/.test(code)
          ? `Replace the tag of ${quote(at)} with this`
          : `Set on ${quote(at)} and keep its other attributes`
        : `Replace ${quote(at)} with this`;
    case 'header':
      return operation === 'remove' ? 'Stop sending this response header' : 'Send this response header';
    case 'robots.txt':
      return operation === 'remove' ? `Remove from robots.txt (${at})` : 'Add at the end of robots.txt';
    case 'sitemap':
      return `Add to ${quote(at)}`;
    case 'file':
      return `The whole file ${quote(at)}`;
    case 'server':
      return operation === 'add' ? 'Add to the server’s configuration' : `Have the server answer ${quote(at)} with`;
  }
}

/** Whether the page has to be named with it. */
export const isOnPage = ({ edits, on }: Edit): boolean =>
  on === undefined && (edits === 'head' || edits === 'element' || edits === 'header');

/** `the head of /tea`: what is rechecked once the code was applied. `url`: the page of the finding. */
export function editedPlace({ edits, at, on }: Edit, url: string): string {
  const page = pathOf(on ?? url);
  switch (edits) {
    case 'head':
      return `the head of ${page}`;
    case 'element':
      return at === 'doctype' ? `the doctype of ${page}` : `${at} on ${page}`;
    case 'header':
      return `the header ${at} of ${page}`;
    case 'robots.txt':
      return 'robots.txt';
    case 'sitemap':
      return pathOf(at);
    case 'file':
      return at;
    case 'server':
      return `how the server answers ${pathOf(at)}`;
  }
}

function pathOf(url: string): string {
  const parsed = parseUrl(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}

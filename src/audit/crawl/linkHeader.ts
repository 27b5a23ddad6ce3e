/** Links in the Link response header. Pure. */
import { keepingRecent } from '../recent.ts';
import type { FetchOutcome } from './site.ts';
import { crawlUrl } from './url.ts';

/** `href` is as written; `url` is null if it is not a web address. */
export type HeaderLink = {
  readonly href: string;
  readonly url: string | null;
  readonly rel: string;
  readonly hreflang: string | null;
};

const MAX_LENGTH = 20_000;

/** As many as are read from the HTML of a page. */
const MOST = { canonical: 20, alternate: 500, other: 500 };

/** Characters of all addresses: each may be short as written, and as long as that of the page when resolved. */
const MAX_ADDRESSES = 100_000;

/** `<address>; rel="canonical"; hreflang="de", <…>`: commas inside the address or quotes do not separate links. */
export const headerLinks: (outcome: FetchOutcome) => readonly HeaderLink[] = keepingRecent(readLinks);

function readLinks(outcome: FetchOutcome): readonly HeaderLink[] {
  const links: HeaderLink[] = [];
  const left = { ...MOST, characters: MAX_ADDRESSES };
  for (const value of outcome.headers.link ?? []) {
    const text = value.slice(0, MAX_LENGTH);
    for (let open = text.indexOf('<'); open >= 0; ) {
      const close = text.indexOf('>', open);
      if (close < 0) break;
      const end = parametersEnd(text, close + 1);
      const parameters = text.slice(close + 1, end);
      const rel = parameter(parameters, 'rel')?.toLowerCase() ?? '';
      const kind = rel === 'canonical' || rel === 'alternate' ? rel : 'other';
      if (left[kind] > 0) {
        const href = text.slice(open + 1, close).trim();
        const url = crawlUrl(href, outcome.url);
        left[kind] -= 1;
        left.characters -= url?.length ?? 0;
        if (left.characters < 0) return links;
        links.push({ href, url, rel, hreflang: parameter(parameters, 'hreflang') });
      }
      open = text.indexOf('<', end);
    }
  }
  return links;
}

function parametersEnd(text: string, from: number): number {
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === ',' && !quoted) return at;
  }
  return text.length;
}

function parameter(parameters: string, name: string): string | null {
  for (const part of parameters.split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim().toLowerCase() === name)
      return part
        .slice(equals + 1)
        .trim()
        .replace(/^"|"$/g, '');
  }
  return null;
}

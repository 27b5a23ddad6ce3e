/** Links in the Link response header. Pure. */
import type { FetchOutcome } from './site.ts';

export type HeaderLink = { readonly href: string; readonly rel: string; readonly hreflang: string | null };

const MAX_LENGTH = 20_000;

/** `<address>; rel="canonical"; hreflang="de", <…>`: commas inside the address or quotes do not separate links. */
export function headerLinks(outcome: FetchOutcome): HeaderLink[] {
  const links: HeaderLink[] = [];
  for (const value of outcome.headers.link ?? []) {
    const text = value.slice(0, MAX_LENGTH);
    for (let open = text.indexOf('<'); open >= 0; ) {
      const close = text.indexOf('>', open);
      if (close < 0) break;
      const end = parametersEnd(text, close + 1);
      const parameters = text.slice(close + 1, end);
      links.push({
        href: text.slice(open + 1, close).trim(),
        rel: parameter(parameters, 'rel')?.toLowerCase() ?? '',
        hreflang: parameter(parameters, 'hreflang'),
      });
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

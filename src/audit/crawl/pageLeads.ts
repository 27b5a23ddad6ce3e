/**
 * Where a page leads a crawler: links, frames, and canonical, alternate, next and redirect addresses, in its HTML and
 * headers. Pure.
 */
import { parseUrl } from '../../model/parseUrl.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { headerLinks } from './linkHeader.ts';
import type { FetchOutcome } from './site.ts';

/** `agentToken` is the crawler's own name: directives may address it alone. The addresses may be on any site. */
export function leadsOf(facts: PageFacts, outcome: FetchOutcome, agentToken: string): readonly string[] {
  const leads: string[] = [];
  const base = baseOf(facts);
  const add = (href: string | null): void => {
    const url = href === null ? null : resolved(href, base);
    if (url !== null) leads.push(url);
  };
  if (!forbidsFollowing(facts, outcome, agentToken.toLowerCase())) {
    for (const { kind, url } of facts.resources) if (kind === 'frame') leads.push(url);
    for (const link of facts.links) if (link.url !== null && !link.rel.includes('nofollow')) leads.push(link.url);
  }
  for (const { url } of [...facts.canonicals, ...facts.alternates]) if (url !== null) leads.push(url);
  for (const { href, rel } of headerLinks(outcome)) if (/\b(?:canonical|alternate|next|prev)\b/.test(rel)) add(href);
  add(refreshTarget(facts.httpEquiv.find((meta) => meta.name.toLowerCase() === 'refresh')?.content ?? ''));
  add(refreshTarget(outcome.headers.refresh?.[0] ?? ''));
  return leads;
}

/** The canonical address in the page's HTML or headers; null if there is none or more than one. */
export function canonicalOf(facts: PageFacts, outcome: FetchOutcome): string | null {
  const inHeader = headerLinks(outcome).flatMap(({ href, rel }) =>
    rel === 'canonical' ? (resolved(href, facts.url) ?? []) : [],
  );
  const named = new Set([...facts.canonicals.flatMap(({ url }) => url ?? []), ...inHeader]);
  return named.size === 1 ? ([...named][0] ?? null) : null;
}

/** None of the page's links may be followed: the strictest of all directives for everyone and for this crawler. */
export function forbidsFollowing(facts: PageFacts, outcome: FetchOutcome, token: string): boolean {
  const inHtml = facts.metas
    .filter(({ name }) => name.toLowerCase() === 'robots' || name.toLowerCase() === token)
    .map(({ content }) => content);
  const inHeader = (outcome.headers['x-robots-tag'] ?? []).map((value) => forThisCrawler(value, token));
  return [...inHtml, ...inHeader].some((directives) => /\b(?:nofollow|none)\b/i.test(directives));
}

/**
 * `nofollow` applies to everyone, `otherbot: nofollow` does not; a name applies to what follows it, up to the next
 * name.
 */
function forThisCrawler(value: string, token: string): string {
  let isMeant = true;
  const meant: string[] = [];
  for (const part of value.split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const isName = /^[\w.*-]+$/.test(name) && !name.startsWith('max-') && name !== 'unavailable_after';
    if (isName) isMeant = name === token || name === '*' || name === 'robots';
    if (isMeant) meant.push(isName ? part.slice(colon + 1) : part);
  }
  return meant.join(',');
}

function baseOf(facts: PageFacts): string {
  return facts.baseHref === null ? facts.url : (resolved(facts.baseHref, facts.url) ?? facts.url);
}

function resolved(href: string, base: string): string | null {
  return parseUrl(href, base)?.href ?? null;
}

/** `/next` in `5; url='/next'`; null if the page only reloads itself. */
function refreshTarget(content: string): string | null {
  const afterTime = content
    .trimStart()
    .replace(/^[\d.]+/, '')
    .trimStart();
  if (afterTime === '' || (afterTime === content.trimStart() && !/^[;,]/.test(afterTime))) return null;
  const target = afterTime
    .replace(/^[;,]/, '')
    .trimStart()
    .replace(/^url\s*=/i, '')
    .trimStart();
  const quote = target.startsWith('"') || target.startsWith("'") ? target.slice(0, 1) : '';
  const end = quote === '' ? -1 : target.indexOf(quote, 1);
  return target.slice(quote.length, end < 0 ? target.length : end).trim() || null;
}

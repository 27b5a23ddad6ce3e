/** What a page declares in its head: title, metas, canonical, alternates, base. */

import { parseUrl } from '../../model/parseUrl.ts';
import type { MetaFact, PageFacts, TwinFact } from './pageFacts.ts';
import { LONGEST_ADDRESS, type PageScope, resolveUrl } from './pageScope.ts';
import { attributeOf, type Element, fold, rawTextOf, tokensOf } from './parse/element.ts';

const MAX_METAS = 300;
const MAX_ALTERNATES = 500;
const MAX_BODY_ALTERNATES = 5;
const MAX_TWINS = 5;
const CONTENT_LIMIT = 2000;

const ROBOTS = /^(?:robots|[a-z.]{0,40}bot)$/i;

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

export type HeadCollector = Writable<
  Pick<PageFacts, 'titles' | 'metas' | 'properties' | 'httpEquiv' | 'canonicals' | 'alternates' | 'baseHref'>
> & {
  bodyRobots?: MetaFact[];
  bodyAlternates?: { hreflang: string; href: string }[];
  twins?: TwinFact[];
  metaTotal: number;
  /** An element that only counts in the head was found in the body. */
  misplaced: boolean;
};

export function createHeadCollector(): HeadCollector {
  return {
    titles: [],
    metas: [],
    properties: [],
    httpEquiv: [],
    canonicals: [],
    alternates: [],
    baseHref: null,
    metaTotal: 0,
    misplaced: false,
  };
}

export function collectTitle(head: HeadCollector, element: Element, scope: PageScope): void {
  if (!scope.inHead) head.misplaced = true;
  if (head.titles.length < 20) head.titles.push({ text: fold(rawTextOf(element), 1000), inHead: scope.inHead });
}

/** Only the first <base> with an href counts. */
export function collectBase(head: HeadCollector, element: Element, scope: PageScope): void {
  const href = attributeOf(element, 'href');
  if (head.baseHref !== null || href === null) return;
  head.baseHref = href.slice(0, CONTENT_LIMIT);
  const base = parseUrl(href, scope.pageUrl);
  if (base === null || base.href.length > LONGEST_ADDRESS || (base.protocol !== 'http:' && base.protocol !== 'https:'))
    return;
  scope.baseUrl = base.href;
  scope.resolved.clear();
}

/** A <meta> with both name and property counts as both. Names only count in the head. */
export function collectMeta(head: HeadCollector, element: Element, scope: PageScope): void {
  head.metaTotal += 1;
  if (head.metaTotal > MAX_METAS) return;
  const content = attributeOf(element, 'content');
  if (content === null) return;
  if (!scope.inHead && /^(?:robots|description)$/i.test(attributeOf(element, 'name') ?? '')) head.misplaced = true;
  const name = attributeOf(element, 'name');
  if (scope.inHead) add(head.metas, name, content);
  else if (name !== null && ROBOTS.test(name.trim())) {
    head.bodyRobots ??= [];
    add(head.bodyRobots, name, content);
  }
  add(head.properties, attributeOf(element, 'property'), content);
  add(head.httpEquiv, attributeOf(element, 'http-equiv'), content);
}

function add(list: MetaFact[], name: string | null, content: string): void {
  if (name !== null && name.trim() !== '')
    list.push({ name: name.trim().toLowerCase().slice(0, 100), content: content.slice(0, CONTENT_LIMIT) });
}

/** Handles <link rel=canonical> and <link rel=alternate hreflang>; all others are resources. */
export function collectHeadLink(head: HeadCollector, element: Element, scope: PageScope): void {
  const rel = tokensOf(attributeOf(element, 'rel'));
  const href = attributeOf(element, 'href');
  if (href === null) return;
  if (
    !scope.inHead &&
    (rel.includes('canonical') || (rel.includes('alternate') && attributeOf(element, 'hreflang') !== null))
  )
    head.misplaced = true;
  if (rel.includes('canonical') && head.canonicals.length < 20) {
    head.canonicals.push({
      href: href.slice(0, CONTENT_LIMIT),
      url: href.trim() === '' ? null : resolveUrl(href, scope),
      inHead: scope.inHead,
    });
  }
  const hreflang = attributeOf(element, 'hreflang');
  if (scope.inHead && hreflang === null) collectTwin(head, rel, attributeOf(element, 'media') ?? '', href, scope);
  if (hreflang === null || !rel.includes('alternate')) return;
  const alternate = { hreflang: hreflang.slice(0, 100), href: href.slice(0, CONTENT_LIMIT) };
  if (!scope.inHead) {
    head.bodyAlternates ??= [];
    if (head.bodyAlternates.length < MAX_BODY_ALTERNATES) head.bodyAlternates.push(alternate);
  } else if (head.alternates.length < MAX_ALTERNATES)
    head.alternates.push({ ...alternate, url: resolveUrl(href, scope) });
}

/** `<link rel=amphtml>`, and `<link rel=alternate media=…>` for other screens or for print. */
function collectTwin(head: HeadCollector, rel: readonly string[], media: string, href: string, scope: PageScope): void {
  const isAmp = rel.includes('amphtml');
  if (!isAmp && (media.trim() === '' || !rel.includes('alternate') || rel.includes('stylesheet'))) return;
  const url = resolveUrl(href, scope);
  head.twins ??= [];
  if (url !== null && head.twins.length < MAX_TWINS)
    head.twins.push({ kind: isAmp ? 'amp' : /^\s*print/i.test(media) ? 'print' : 'mobile', url });
}

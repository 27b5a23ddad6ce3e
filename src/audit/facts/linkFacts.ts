/** <a> and <area>: links, and anchors that crawlers cannot follow. */
import { parseUrl } from '../../model/parseUrl.ts';
import type { LinkFact, PageFacts, UncrawlableAnchor } from './pageFacts.ts';
import { isSilent, type Leave, openSink, type PageScope, resolve, resolveUrl, type TextSink } from './pageScope.ts';
import { attributeOf, type Element, fold, HTML_NAMESPACE, isElement, tokensOf } from './parse/element.ts';

const MAX_LINKS = 2000;
const MAX_UNCRAWLABLE = 200;
const HREF_LIMIT = 2100;
/** Addresses that many links of a page may share although they do different things. */
const MEANINGLESS = /^\s*(?:#\s*)?$|^\s*javascript:/i;
/** Attributes by which scripts make an anchor a link. */
const SCRIPTED =
  /^(?:on[a-z]+|[@(].*|(?:ng|v-on|x-on|data-ng)[-:].*|jsaction|routerlink|wire:click|data-(?:href|url|link|target|action|toggle))$/;
const VOID_SCRIPT = /javascript:void\(?0\)?/;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type LinkCollector = {
  readonly links: LinkFact[];
  readonly uncrawlable: UncrawlableAnchor[];
  /** Parsed rel lists, keyed by the raw attribute: a page has few distinct ones. */
  readonly rels: Map<string, readonly string[]>;
  readonly noRel: readonly string[];
  total: number;
  /** Which links are in the first main landmark; null before it. */
  main: NonNullable<PageFacts['mainLinks']> | null;
};

export function createLinkCollector(): LinkCollector {
  return { links: [], uncrawlable: [], rels: new Map(), noRel: [], total: 0, main: null };
}

/** Call it when a main landmark opens. */
export function enterMainLinks(collector: LinkCollector): Leave | undefined {
  if (collector.main !== null) return undefined;
  const from = collector.links.length;
  collector.main = { from, to: from };
  return () => {
    collector.main = { from, to: collector.links.length };
  };
}

/** Follows Lighthouse's crawlable-anchors audit. */
function isUncrawlable(element: Element, href: string | null, scope: PageScope): boolean {
  if ((attributeOf(element, 'role') ?? '').trim() !== '') return false;
  const raw = href !== null && /\s/.test(href) ? href.replace(/\s/g, '') : (href ?? '');
  if (raw.startsWith('mailto:')) return false;
  if (raw === '' && (attributeOf(element, 'id') ?? '') !== '') return false;
  if (raw.startsWith('file:')) return true;
  if ((attributeOf(element, 'name') ?? '').trim() !== '') return false;
  if (href === null) return !isPlaceholder(element);
  if (raw.startsWith('javascript:')) return VOID_SCRIPT.test(raw);
  return resolveUrl(href, scope) === null && parseUrl(raw, scope.pageUrl) === null;
}

/** An <a> without href may represent the current page. */
function isPlaceholder(element: Element): boolean {
  const current = attributeOf(element, 'aria-current') ?? '';
  if (current !== 'page' && current !== 'location') return false;
  return !['target', 'download', 'ping', 'rel', 'hreflang', 'type', 'referrerpolicy'].some(
    (name) => attributeOf(element, name) !== null,
  );
}

export function collectLink(collector: LinkCollector, element: Element, scope: PageScope): Leave | undefined {
  const href = attributeOf(element, 'href');
  const odd =
    isHtmlAnchor(element) && collector.uncrawlable.length < MAX_UNCRAWLABLE && isUncrawlable(element, href, scope);
  if (href !== null) collector.total += 1;
  if ((href === null || collector.links.length >= MAX_LINKS) && !odd) return undefined;
  const link = href === null || collector.links.length >= MAX_LINKS ? null : linkOf(collector, element, href, scope);
  if (link !== null) collector.links.push(link);
  const close = openSink(scope);
  return () => {
    const sink = close();
    const text = fold(sink.shown.join(''), 200);
    if (odd)
      collector.uncrawlable.push({
        href: href === null ? null : href.slice(0, 200),
        text,
        selector: scope.selectorOf(element),
        ...(href === null && !element.attrs.some(({ name }) => SCRIPTED.test(name)) ? { inert: true } : {}),
      });
    if (link !== null) nameLink(link, element, sink, scope);
  };
}

const isHtmlAnchor = ({ tagName, namespaceURI }: Element): boolean =>
  tagName === 'a' && namespaceURI === HTML_NAMESPACE;

function linkOf(collector: LinkCollector, element: Element, href: string, scope: PageScope): Writable<LinkFact> {
  const { url, internal } = href.length > HREF_LIMIT ? { url: null, internal: false } : resolve(href, scope);
  const link: Writable<LinkFact> = { url, text: '', rel: relOf(collector, element), internal };
  if (href !== url) link.href = href.slice(0, HREF_LIMIT);
  if (scope.area !== 'main') link.area = scope.area;
  else if (scope.inMenu) link.menu = true;
  if (scope.lang !== scope.pageLang) link.lang = scope.lang;
  const holds = heldBy(element);
  if (holds !== null) link.holds = holds;
  if (isSilent(scope)) link.silent = true;
  if (!isHtmlAnchor(element) || MEANINGLESS.test(href)) link.selector = scope.selectorOf(element);
  return link;
}

/** Null if it holds text alone. */
function heldBy({ childNodes }: Element): NonNullable<LinkFact['holds']> | null {
  const elements = childNodes.filter(isElement);
  if (elements.length === 0) return null;
  const [only] = elements;
  const isBare = childNodes.every((child) => isElement(child) || !('value' in child) || child.value.trim() === '');
  if (elements.length > 1 || !isBare) return 'elements';
  return only?.tagName === 'img' ? 'image' : only?.tagName === 'svg' || only?.tagName === 'i' ? 'icon' : 'elements';
}

function relOf(collector: LinkCollector, element: Element): readonly string[] {
  const written = attributeOf(element, 'rel');
  if (written === null) return collector.noRel;
  let rel = collector.rels.get(written);
  if (rel === undefined) {
    rel = tokensOf(written);
    collector.rels.set(written, rel);
  }
  return rel;
}

function nameLink(link: Writable<LinkFact>, element: Element, sink: TextSink, scope: PageScope): void {
  const named = fold(sink.named.join(''), 200);
  // The text of a drawing is seen as well.
  link.text = fold((element.namespaceURI === HTML_NAMESPACE ? sink.shown : sink.named).join(''), 200);
  setLanguage(link, sink, scope);
  const label = fold(attributeOf(element, 'aria-label') ?? '', 200);
  const alt = element.tagName === 'area' ? fold(attributeOf(element, 'alt') ?? '', 200) : '';
  const title = fold(attributeOf(element, 'title') ?? '', 200);
  const known = label || named || alt || fold(sink.titles.join(' '), 200) || title;
  setName(link, known);
  const ids = attributeOf(element, 'aria-labelledby') ?? (known === '' ? sink.labelledBy : null);
  if (ids === null) return;
  scope.labels.push({
    ids,
    apply: (labelled) => {
      if (labelled !== '') setName(link, labelled);
    },
  });
}

/** That of its text, which may stand in an element of its own. */
function setLanguage(link: Writable<LinkFact>, { lang }: TextSink, scope: PageScope): void {
  if (lang === null) return;
  if (lang !== scope.pageLang) link.lang = lang;
  else if (link.lang !== undefined) delete link.lang;
}

function setName(link: Writable<LinkFact>, name: string): void {
  if (name !== link.text) link.name = name;
  else if (link.name !== undefined) delete link.name;
}

/** Headings, landmarks, paragraphs, counts and the small signs that the checks ask of a page's body. */
import { attributeOf, type Element, fold, isElement } from './element.ts';
import type { HeadingFact, PageFacts } from './pageFacts.ts';
import { type Leave, openSink, type PageScope } from './pageScope.ts';

const MAX_HEADINGS = 500;
const MAX_DATES = 20;
const APP_ROOTS: ReadonlySet<string> = new Set(['root', 'app', '__next', '__nuxt', '___gatsby', 'svelte', 'q-app', 'ember-app']);
const BUYS =
  /^(?:add to (?:cart|basket|bag)|buy(?: it)? now|order now|in den (?:warenkorb|einkaufswagen)|jetzt kaufen|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|comprar|aggiungi al carrello|adicionar ao carrinho|in winkelwagen|lägg i varukorg)/i;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type BodyCollector = {
  readonly headings: HeadingFact[];
  headingTotal: number;
  readonly landmarks: Writable<PageFacts['landmarks']>;
  readonly counts: Writable<PageFacts['counts']>;
  readonly dates: string[];
  buyButton: boolean;
  emptyAppRoot: string | null;
};

export function createBodyCollector(): BodyCollector {
  return {
    headings: [],
    headingTotal: 0,
    landmarks: { main: 0, nav: 0, header: 0, footer: 0, article: 0 },
    counts: { elements: 0, maxDepth: 0, paragraphs: 0, lists: 0, tables: 0, forms: 0, quotes: 0, details: 0 },
    dates: [],
    buyButton: false,
    emptyAppRoot: null,
  };
}

export function collectHeading(body: BodyCollector, element: Element, scope: PageScope): Leave | undefined {
  body.headingTotal += 1;
  if (body.headings.length >= MAX_HEADINGS) return undefined;
  const level = Number(element.tagName.charAt(1)) as HeadingFact['level'];
  const heading: Writable<HeadingFact> = { level, text: '', hidden: scope.hiddenDepth > 0, selector: scope.selectorOf(element) };
  body.headings.push(heading);
  const close = openSink(scope);
  return () => {
    const text = fold(close().named.join(''), 300);
    heading.text = text === '' ? fold(attributeOf(element, 'aria-label') ?? '', 300) : text;
  };
}

/** A button, or a submitting input, that puts something in a basket. */
export function collectButton(body: BodyCollector, element: Element, scope: PageScope): Leave | undefined {
  if (body.buyButton) return undefined;
  if (element.tagName === 'input') {
    if (BUYS.test(attributeOf(element, 'value') ?? '')) body.buyButton = true;
    return undefined;
  }
  const close = openSink(scope);
  return () => {
    if (BUYS.test(fold(close().named.join(''), 80))) body.buyButton = true;
  };
}

export function collectDate(body: BodyCollector, element: Element): void {
  const datetime = attributeOf(element, 'datetime');
  if (datetime !== null && datetime.trim() !== '' && body.dates.length < MAX_DATES) body.dates.push(datetime.trim().slice(0, 40));
}

export function collectAppRoot(body: BodyCollector, element: Element, scope: PageScope): void {
  if (body.emptyAppRoot !== null || !APP_ROOTS.has(attributeOf(element, 'id') ?? '')) return;
  const empty = element.childNodes.slice(0, 10).every((child) => !isElement(child) && (!('value' in child) || child.value.trim() === ''));
  if (empty && element.childNodes.length <= 10) body.emptyAppRoot = scope.selectorOf(element);
}

export function countElement(counts: BodyCollector['counts'], tag: string, depth: number): void {
  counts.elements += 1;
  if (depth > counts.maxDepth) counts.maxDepth = depth;
  switch (tag) {
    case 'p':
      counts.paragraphs += 1;
      break;
    case 'ul':
    case 'ol':
    case 'dl':
      counts.lists += 1;
      break;
    case 'table':
      counts.tables += 1;
      break;
    case 'form':
      counts.forms += 1;
      break;
    case 'q':
    case 'blockquote':
      counts.quotes += 1;
      break;
    case 'details':
      counts.details += 1;
      break;
  }
}

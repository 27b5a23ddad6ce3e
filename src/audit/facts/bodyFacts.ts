/** Headings, landmarks, paragraphs, element counts and the small signals that checks need from a page's body. */

import type { HeadingFact, PageFacts } from './pageFacts.ts';
import { isSilent, type Leave, openSink, type PageScope } from './pageScope.ts';
import { attributeOf, type Element, fold, isElement, tokensOf } from './parse/element.ts';
import { countWords } from './text/words.ts';

const MAX_HEADINGS = 500;
const MAX_DATES = 20;
const ANSWER_LIMIT = 2000;
/** A product may have its button twice. */
export const MANY_BUTTONS = 3;
const APP_ROOTS: ReadonlySet<string> = new Set([
  'root',
  'app',
  '__next',
  '__nuxt',
  '___gatsby',
  'svelte',
  'q-app',
  'ember-app',
]);
const BUYS =
  /^(?:add to (?:cart|basket|bag)|buy(?: it)? now|order now|in den (?:warenkorb|einkaufswagen)|jetzt kaufen|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|comprar|aggiungi al carrello|adicionar ao carrinho|in winkelwagen|lägg i varukorg)/i;

const ASKING: ReadonlySet<string> = new Set(
  'how what why when where who whom whose which can could does do did is are should will would wie was warum wieso weshalb wann wo wohin woher wer wem wen welche welcher welches welchen welchem kann können darf muss gibt comment pourquoi quand où qui que quoi quel quelle quels quelles combien est-ce peut-on faut-il cómo qué por cuándo cuánto cuánta cuántos cuántas dónde quién quiénes cuál cuáles come cosa che perché quando dove chi quale quali quanto quanti como o onde quem qual quais quantos hoe wat waarom wanneer waar wie welke mag moet hur vad varför när var vem vilken vilka får hvordan hvad hvorfor hvornår hvor hvem hvilken hvilke kan hva når jak co dlaczego kiedy gdzie kto czy który która które ile proč kdy kde kdo kolik nasıl ne neden niçin nerede kim hangi kaç как что почему зачем когда где кто какой какая какие сколько як що чому навіщо коли де хто який яка які скільки'.split(
    ' ',
  ),
);

/** Of WordPress, WooCommerce, Shopify, Magento, and Shopware. */
const PAGE_CLASS =
  /^(?:archive|tag|author|date|category|search-results|paged|attachment|tax-product_(?:tag|cat)|woocommerce-(?:cart|checkout|account)|template-(?:cart|search|customers|product|collection)|catalogsearch-result-index|customer-account(?:-[a-z]{1,20}){0,2}|checkout-(?:cart|index|onepage)-[a-z]{1,20}|wishlist-index-index|is-{1,2}ctl-(?:search|account|checkout|auth|register|wishlist)[a-z]{0,20})$/;
const MAX_CLASSES = 8;
const CLASS_LIMIT = 2000;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type BodyCollector = {
  readonly headings: HeadingFact[];
  headingTotal: number;
  readonly landmarks: Writable<PageFacts['landmarks']>;
  readonly counts: Writable<PageFacts['counts']>;
  readonly dates: string[];
  buyButtons: number;
  passwordField: boolean;
  emptyAppRoot: string | null;
  classes: readonly string[];
  /** Of an address element that says how to reach somebody. */
  address: string | null;
  /** The last heading that may be a question, until its first paragraph is read. */
  asked: Writable<HeadingFact> | null;
};

export function createBodyCollector(): BodyCollector {
  return {
    headings: [],
    headingTotal: 0,
    landmarks: { main: 0, nav: 0, header: 0, footer: 0, article: 0 },
    counts: {
      elements: 0,
      maxDepth: 0,
      paragraphs: 0,
      forms: 0,
      lists: 0,
      definitionLists: 0,
      tables: 0,
      quotes: 0,
      details: 0,
      listings: 0,
    },
    dates: [],
    buyButtons: 0,
    passwordField: false,
    emptyAppRoot: null,
    classes: [],
    address: null,
    asked: null,
  };
}

/** A heading by tag or role. Its name is its text, falling back to aria-label, titles, then aria-labelledby. */
export function collectHeading(
  body: BodyCollector,
  element: Element,
  level: HeadingFact['level'],
  byRole: boolean,
  scope: PageScope,
): Leave | undefined {
  body.headingTotal += 1;
  if (body.headings.length >= MAX_HEADINGS) return undefined;
  const heading: Writable<HeadingFact> = {
    level,
    text: '',
    hidden: scope.hiddenDepth > 0,
    selector: scope.selectorOf(element),
  };
  if (isSilent(scope)) heading.silent = true;
  if (byRole) heading.byRole = true;
  body.headings.push(heading);
  body.asked = null;
  const close = openSink(scope);
  return () => {
    const sink = close();
    const text = fold(sink.named.join(''), 300);
    if ((level === 2 || level === 3) && mayAsk(text)) body.asked = heading;
    heading.text =
      text === ''
        ? fold(attributeOf(element, 'aria-label') ?? attributeOf(element, 'title') ?? sink.titles.join(' '), 300)
        : text;
    const ids = attributeOf(element, 'aria-labelledby') ?? sink.labelledBy;
    if (heading.text !== '' || ids === null) return;
    scope.labels.push({
      ids,
      apply: (label) => {
        heading.text = label;
      },
    });
  };
}

/** The level from aria-level, or `usual` if it is missing or invalid. */
export function headingLevel(element: Element, usual: HeadingFact['level']): HeadingFact['level'] {
  const level = Number(attributeOf(element, 'aria-level') ?? usual);
  return Number.isInteger(level) && level >= 1 ? (Math.min(level, 6) as HeadingFact['level']) : usual;
}

/** Tries every supported language, because the page's language is not known yet. */
function mayAsk(heading: string): boolean {
  return (
    /[?？؟՞;]$/.test(heading) ||
    ASKING.has(/^[¿\p{L}-]{1,12}/u.exec(heading.toLowerCase())?.[0] ?? '') ||
    heading.startsWith('¿')
  );
}

/** The paragraph directly below a question heading is its answer. */
export function collectAnswer(body: BodyCollector, paragraph: string): void {
  if (body.asked === null || paragraph.trim() === '') return;
  body.asked.answerWords = countWords(paragraph.slice(0, ANSWER_LIMIT));
  body.asked = null;
}

/** Detects buttons and submit inputs that add to a cart; also password fields. */
export function collectButton(body: BodyCollector, element: Element, scope: PageScope): Leave | undefined {
  if (element.tagName === 'input') {
    if ((attributeOf(element, 'type') ?? '').trim().toLowerCase() === 'password') body.passwordField = true;
    else if (BUYS.test(attributeOf(element, 'value') ?? '')) body.buyButtons += 1;
    return undefined;
  }
  if (body.buyButtons >= MANY_BUTTONS) return undefined;
  const close = openSink(scope);
  return () => {
    if (BUYS.test(fold(close().named.join(''), 80))) body.buyButtons += 1;
  };
}

/** A byline is marked up as an address, too; a way to reach somebody has a number or an email address. */
export function collectAddress(body: BodyCollector, scope: PageScope): Leave | undefined {
  if (body.address !== null || scope.hiddenDepth > 0) return undefined;
  const close = openSink(scope);
  return () => {
    const text = fold(close().shown.join(''), 80);
    if (/\d|@/.test(text)) body.address ??= text;
  };
}

export function collectDate(body: BodyCollector, element: Element): void {
  const datetime = attributeOf(element, 'datetime');
  if (datetime !== null && datetime.trim() !== '' && body.dates.length < MAX_DATES)
    body.dates.push(datetime.trim().slice(0, 40));
}

export function collectAppRoot(body: BodyCollector, element: Element, scope: PageScope): void {
  if (body.emptyAppRoot !== null || !APP_ROOTS.has(attributeOf(element, 'id') ?? '')) return;
  const empty = element.childNodes
    .slice(0, 10)
    .every((child) => !isElement(child) && (!('value' in child) || child.value.trim() === ''));
  if (empty && element.childNodes.length <= 10) body.emptyAppRoot = scope.selectorOf(element);
}

export function collectBodyClasses(body: BodyCollector, element: Element): void {
  const written = (attributeOf(element, 'class') ?? '').slice(0, CLASS_LIMIT);
  const known = tokensOf(written).filter((name) => PAGE_CLASS.test(name));
  body.classes = [...new Set(known)].slice(0, MAX_CLASSES);
}

export function countElement(counts: BodyCollector['counts'], tag: string, depth: number, isContent: boolean): void {
  counts.elements += 1;
  if (depth > counts.maxDepth) counts.maxDepth = depth;
  if (tag === 'p') counts.paragraphs += 1;
  else if (tag === 'form') counts.forms += 1;
  else if (isContent) countContent(counts, tag);
}

function countContent(counts: BodyCollector['counts'], tag: string): void {
  switch (tag) {
    case 'ul':
    case 'ol':
      counts.lists += 1;
      break;
    case 'dl':
      counts.definitionLists += 1;
      break;
    case 'table':
      counts.tables += 1;
      break;
    case 'q':
    case 'blockquote':
      counts.quotes += 1;
      break;
    case 'pre':
      counts.listings += 1;
      break;
    case 'details':
      counts.details += 1;
      break;
  }
}

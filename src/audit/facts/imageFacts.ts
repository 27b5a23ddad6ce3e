/** <img>: what it shows, and whether it is named, sized, lazy-loaded and in a modern format. */

import type { ImageFact } from './pageFacts.ts';
import { isPartOf, type PageScope, resolveUrl } from './pageScope.ts';
import { attributeOf, type Element, fold, isElement } from './parse/element.ts';

const MAX_IMAGES = 1000;
const SRC_LIMIT = 2100;
const MAX_PLACED = 5;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type ImageCollector = { readonly images: ImageFact[]; total: number; placed: number };

export function createImageCollector(): ImageCollector {
  return { images: [], total: 0, placed: 0 };
}

const NO_STYLE: ReadonlyMap<string, string> = new Map();

/** Declarations of a style attribute, lower-cased. */
export function styleOf(element: Element): ReadonlyMap<string, string> {
  const style = attributeOf(element, 'style');
  if (style === null) return NO_STYLE;
  const declarations = new Map<string, string>();
  for (const declaration of style.slice(0, 2000).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0)
      declarations.set(
        declaration.slice(0, colon).trim().toLowerCase(),
        declaration
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      );
  }
  return declarations;
}

/** A dimension attribute counts if it starts with a whole number, zero included. */
function isDimension(value: string | null): boolean {
  return value !== null && /^\s*\d/.test(value);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && !['auto', 'initial', 'unset', 'inherit'].includes(value);
}

function isSized(element: Element, style: ReadonlyMap<string, string>): boolean {
  // Outside the normal flow, an image cannot shift the layout.
  if (style.get('position') === 'absolute' || style.get('position') === 'fixed') return true;
  const width = isDimension(attributeOf(element, 'width')) || isSet(style.get('width'));
  const height = isDimension(attributeOf(element, 'height')) || isSet(style.get('height'));
  const ratio = isSet(style.get('aspect-ratio'));
  return (width && height) || (ratio && (width || height));
}

function isHidden(element: Element, style: ReadonlyMap<string, string>, scope: PageScope): boolean {
  if (
    scope.hiddenDepth > 0 ||
    attributeOf(element, 'hidden') !== null ||
    style.get('display') === 'none' ||
    style.get('visibility') === 'hidden'
  )
    return true;
  return ['width', 'height'].every((name) => {
    const value = attributeOf(element, name);
    return isDimension(value) && Number.parseInt(value ?? '', 10) <= 1;
  });
}

const MODERN = /\.(?:webp|avif)(?:[?#\s,]|$)|format=(?:webp|avif)|fm=(?:webp|avif)/i;

function offersModern(element: Element): boolean {
  if (MODERN.test((attributeOf(element, 'srcset') ?? '').slice(0, 5000))) return true;
  const parent = element.parentNode;
  if (parent === null || !isElement(parent) || parent.tagName !== 'picture') return false;
  return parent.childNodes
    .slice(0, 50)
    .some(
      (child) =>
        isElement(child) &&
        child.tagName === 'source' &&
        (/image\/(?:webp|avif)/i.test(attributeOf(child, 'type') ?? '') ||
          MODERN.test((attributeOf(child, 'srcset') ?? '').slice(0, 5000))),
    );
}

/** Has a presentation role, or a name that does not come from alt. */
function isDecorative(element: Element): boolean {
  const role = (attributeOf(element, 'role') ?? '').trim().toLowerCase();
  if (role === 'none' || role === 'presentation') return true;
  return ['aria-label', 'title'].some((name) => fold(attributeOf(element, name) ?? '') !== '');
}

/** `wordsBefore` counts the words of the content so far. */
export function collectImage(
  collector: ImageCollector,
  element: Element,
  scope: PageScope,
  wordsBefore: () => number,
): void {
  const index = collector.total;
  collector.total += 1;
  const alt = attributeOf(element, 'alt');
  if (alt !== null)
    for (const sink of scope.sinks) if (isPartOf(sink, scope)) sink.named.push(` ${alt.slice(0, 300)} `);
  if (collector.images.length >= MAX_IMAGES) return;
  const src = (attributeOf(element, 'src') ?? '').slice(0, SRC_LIMIT);
  const style = styleOf(element);
  const inline = src.startsWith('data:');
  const url = src === '' || inline ? null : resolveUrl(src, scope);
  const width = attributeOf(element, 'width');
  const height = attributeOf(element, 'height');
  const loading = attributeOf(element, 'loading');
  const image: Writable<ImageFact> = {
    url,
    alt: alt === null ? null : alt.slice(0, 500),
    decorative: scope.silentDepth > 0 || isDecorative(element),
    sized: isSized(element, style),
    hidden: isHidden(element, style, scope),
    modern: offersModern(element),
    index,
  };
  if (src !== url) image.src = inline ? src.slice(0, 60) : src;
  if (width !== null) image.width = width.slice(0, 20);
  if (height !== null) image.height = height.slice(0, 20);
  if (loading !== null) image.loading = loading.toLowerCase().slice(0, 20);
  if (scope.area !== 'main') image.area = scope.area;
  else if (image.loading === 'lazy' && collector.placed < MAX_PLACED) {
    collector.placed += 1;
    image.wordsBefore = wordsBefore();
  }
  if (src.trim() === '' || inline) image.selector = scope.selectorOf(element);
  collector.images.push(image);
  const ids = attributeOf(element, 'aria-labelledby');
  if (ids !== null) {
    scope.labels.push({
      ids,
      apply: (text) => {
        if (text !== '') image.decorative = true;
      },
    });
  }
}

/** JSON-LD blocks, microdata items and RDFa types of a page. */

import type { StructuredDataFact } from './pageFacts.ts';
import { type Leave, type PageScope, resolveUrl } from './pageScope.ts';
import { attributeOf, type Element, fold, innerText, rawTextOf } from './parse/element.ts';

const MAX_BLOCKS = 100;
const RAW_LIMIT = 20_000;
const JSON_LIMIT = 512_000;
const MAX_LEVELS = 24;
const MAX_VALUES = 5000;
/** The checks walk all of them, and each page at once. */
const MAX_VALUES_OF_PAGE = 20_000;
const MAX_PROPERTIES = 500;
const WORDS_LIMIT = 1_000;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type MicrodataItem = { [property: string]: unknown };

export type StructuredDataCollector = {
  readonly facts: StructuredDataFact[];
  readonly items: MicrodataItem[];
  properties: number;
  values: number;
};

export function createStructuredDataCollector(): StructuredDataCollector {
  return { facts: [], items: [], properties: 0, values: 0 };
}

/** A copy cut off at 24 levels and 5,000 values, to bound later walks. */
function prune(value: unknown, left: { values: number }, level: number): unknown {
  left.values -= 1;
  if (typeof value === 'string') return value.slice(0, 5000);
  if (typeof value !== 'object' || value === null) return value;
  if (level >= MAX_LEVELS || left.values <= 0) return null;
  if (Array.isArray(value)) return value.slice(0, Math.max(left.values, 0)).map((item) => prune(item, left, level + 1));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (left.values <= 0) break;
    if (key !== '__proto__') copy[key] = prune((value as Record<string, unknown>)[key], left, level + 1);
  }
  return copy;
}

/** All types in the nodes, nested ones included, without the schema.org prefix. */
export function typesOf(nodes: readonly unknown[]): string[] {
  const types = new Set<string>();
  const stack: unknown[] = [...nodes];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (Array.isArray(node)) stack.push(...node);
    else if (typeof node === 'object' && node !== null) {
      for (const [key, value] of Object.entries(node)) {
        if (key === '@type')
          for (const type of Array.isArray(value) ? value : [value])
            if (typeof type === 'string') types.add(shortType(type));
        if (typeof value === 'object' && value !== null) stack.push(value);
      }
    }
  }
  return [...types];
}

export function shortType(type: string): string {
  return type.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '').slice(0, 100);
}

export function collectJsonLd(collector: StructuredDataCollector, element: Element, scope: PageScope): void {
  if (collector.facts.length >= MAX_BLOCKS) return;
  const text = rawTextOf(element);
  const fact = {
    syntax: 'json-ld' as const,
    raw: text.slice(0, RAW_LIMIT).trim(),
    selector: scope.selectorOf(element),
  };
  if (text.trim() === '') collector.facts.push({ ...fact, value: null, error: 'The block is empty', types: [] });
  else if (text.length > JSON_LIMIT || collector.values >= MAX_VALUES_OF_PAGE)
    collector.facts.push({ ...fact, value: null, error: null, types: [] });
  else {
    try {
      const left = { values: MAX_VALUES };
      const parsed = prune(JSON.parse(text), left, 0);
      collector.values += MAX_VALUES - left.values;
      const value = Array.isArray(parsed) ? parsed : [parsed];
      collector.facts.push({ ...fact, value, error: null, types: typesOf(value) });
    } catch (error) {
      collector.facts.push({
        ...fact,
        value: null,
        error: fold(error instanceof Error ? error.message : String(error), 200),
        types: [],
      });
    }
  }
}

/** The value of an itemprop for its element, as defined by the HTML standard. */
function propertyValue(element: Element, scope: PageScope): string {
  const tag = element.tagName;
  const content = attributeOf(element, 'content');
  if (content !== null) return content.slice(0, 500);
  if (tag === 'a' || tag === 'area' || tag === 'link')
    return resolveUrl(attributeOf(element, 'href') ?? '', scope) ?? '';
  const src = attributeOf(element, 'src') ?? attributeOf(element, 'data');
  if (src !== null && tag !== 'script') return resolveUrl(src, scope) ?? '';
  if (tag === 'time') return attributeOf(element, 'datetime')?.slice(0, 500) ?? innerText(element, 500);
  if (tag === 'data' || tag === 'meter') return (attributeOf(element, 'value') ?? '').slice(0, 500);
  return innerText(element, 500);
}

/** Names or types: a few dozen at most, however long the attribute is. */
const wordsOf = (attribute: string): readonly string[] => attribute.slice(0, WORDS_LIMIT).split(/\s+/).filter(Boolean);

/**
 * An item within an item is a value of its first name only: under several, later walks would meet it many times, and
 * what is in it many times more.
 */
function setProperty(collector: StructuredDataCollector, names: string, value: unknown): void {
  const item = collector.items.at(-1);
  if (item === undefined) return;
  const usable = wordsOf(names).filter((part) => part !== '__proto__');
  for (const name of typeof value === 'object' ? usable.slice(0, 1) : usable) {
    if (collector.properties >= MAX_PROPERTIES) return;
    collector.properties += 1;
    const known = item[name];
    if (known === undefined) item[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else item[name] = [known, value];
  }
}

/** Call it for elements with itemscope, itemprop or typeof. */
export function collectMicrodata(
  collector: StructuredDataCollector,
  element: Element,
  scope: PageScope,
): Leave | undefined {
  const names = attributeOf(element, 'itemprop');
  const typeOf = attributeOf(element, 'typeof');
  if (typeOf !== null && typeOf.trim() !== '' && collector.facts.length < MAX_BLOCKS) {
    const types = wordsOf(typeOf).map(shortType);
    collector.facts.push({
      syntax: 'rdfa',
      raw: '',
      value: null,
      error: null,
      types,
      selector: scope.selectorOf(element),
    });
  }
  if (attributeOf(element, 'itemscope') === null) {
    if (names !== null && collector.items.length > 0 && collector.properties < MAX_PROPERTIES)
      setProperty(collector, names, propertyValue(element, scope));
    return undefined;
  }
  const types = wordsOf(attributeOf(element, 'itemtype') ?? '').map(shortType);
  const item: MicrodataItem = types.length === 0 ? {} : { '@type': types.length === 1 ? types[0] : types };
  const nested = names !== null && collector.items.length > 0;
  if (nested) setProperty(collector, names, item);
  else if (collector.facts.length < MAX_BLOCKS) {
    item['@context'] = 'https://schema.org';
    collector.facts.push({
      syntax: 'microdata',
      raw: '',
      value: [item],
      error: null,
      types,
      selector: scope.selectorOf(element),
    });
  }
  if (collector.items.length >= MAX_LEVELS) return undefined;
  collector.items.push(item);
  return () => {
    collector.items.pop();
  };
}

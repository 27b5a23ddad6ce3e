/**
 * A fingerprint of a page's structure outside navigation, header, and footer: a SimHash over the different paths of
 * containers, headings, and lists with their classes. How often an element repeats, and its text, make no difference;
 * pages of one template differ in few bits.
 */
import type { PageScope } from './pageScope.ts';
import type { Element } from './parse/element.ts';

const SECTIONS = 'body main article section form'.split(' ');
/** Content that one page of a template has and another has not. */
const BLOCKS = 'h1 h2 h3 ul ol dl table figure pre blockquote details fieldset'.split(' ');
/** A div counts only with a class. */
const HASHES: ReadonlyMap<string, number> = new Map([...SECTIONS, ...BLOCKS, 'div'].map((tag) => [tag, hashOf(tag)]));
const OF_TEMPLATE: ReadonlySet<string> = new Set(SECTIONS);
const MAX_LEVELS = 6;
const MAX_PATHS = 200;
const MAX_CLASSES = 2;
const CLASS_LIMIT = 120;
const MAX_CACHED = 500;
/** Votes of a path that the template makes, against one of the content. */
const TEMPLATE_VOTES = 3;

const BITS = 64;

export type ShapeCollector = {
  /** By depth in the tree: the hash of the path so far, and the number of its levels. */
  readonly hashes: number[];
  readonly levels: number[];
  readonly seen: Set<number>;
  readonly votes: Int32Array;
  /** Pages repeat few different class attributes. */
  readonly classes: Map<string, number>;
};

export function createShapeCollector(): ShapeCollector {
  return { hashes: [], levels: [], seen: new Set(), votes: new Int32Array(BITS), classes: new Map() };
}

/** Elements arrive in document order, each with its depth. */
export function collectShape(shape: ShapeCollector, element: Element, depth: number, scope: PageScope): void {
  const { hashes, levels, seen } = shape;
  const hash = depth === 0 ? 0 : (hashes[depth - 1] as number);
  const level = depth === 0 ? 0 : (levels[depth - 1] as number);
  hashes[depth] = hash;
  levels[depth] = level;
  if (level >= MAX_LEVELS || scope.boilerplate || seen.size >= MAX_PATHS) return;
  const tag = element.tagName;
  const own = HASHES.get(tag);
  if (own === undefined) return;
  const named = classesOf(shape, element);
  if (tag === 'div' && named === 0) return;
  const path = scramble(Math.imul(hash, 31) + own + Math.imul(named, 17));
  hashes[depth] = path;
  levels[depth] = level + 1;
  if (seen.has(path)) return;
  seen.add(path);
  vote(shape.votes, path, named !== 0 || OF_TEMPLATE.has(tag) ? TEMPLATE_VOTES : 1);
}

/** 16 hex characters; '' for a page without any structure. */
export function shapeOf({ seen, votes }: ShapeCollector): string {
  if (seen.size === 0) return '';
  return half(votes, 0) + half(votes, BITS / 2);
}

function half(votes: Int32Array, from: number): string {
  let value = 0;
  for (let bit = 0; bit < BITS / 2; bit += 1) if ((votes[from + bit] as number) > 0) value |= 1 << bit;
  return (value >>> 0).toString(16).padStart(8, '0');
}

function vote(votes: Int32Array, path: number, weight: number): void {
  let word = scramble(path);
  for (let bit = 0; bit < BITS; bit += 1) {
    if (bit === BITS / 2) word = scramble(path ^ 0x5bd1e995);
    votes[bit] = (votes[bit] as number) + (((word >>> (bit & 31)) & 1) === 1 ? weight : -weight);
  }
}

/** Of the first classes without a digit, which would be an id or a size; 0 if there is none. */
function classesOf({ classes }: ShapeCollector, { attrs }: Element): number {
  for (const { name, value } of attrs) {
    if (name !== 'class') continue;
    let hash = classes.get(value);
    if (hash === undefined) {
      const named = value.slice(0, CLASS_LIMIT).split(/\s+/);
      const kept = named.filter((each) => each !== '' && !/\d/.test(each)).slice(0, MAX_CLASSES);
      hash = kept.length === 0 ? 0 : hashOf(kept.join('.'));
      if (classes.size < MAX_CACHED && value.length <= CLASS_LIMIT) classes.set(value, hash);
    }
    return hash;
  }
  return 0;
}

function hashOf(text: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}

function scramble(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

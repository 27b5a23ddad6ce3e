/**
 * A fingerprint of a page's structure outside navigation, header, and footer: a SimHash over the different paths of
 * containers, headings, and lists with their classes. How often an element repeats, and its text, make no difference;
 * pages of one template differ in few bits.
 */
import type { PageScope } from './pageScope.ts';
import type { Element } from './parse/element.ts';

const SECTIONS: ReadonlySet<string> = new Set(['body', 'main', 'article', 'section', 'form']);
/** Content that one page of a template has and another has not. */
const BLOCKS: ReadonlySet<string> = new Set(
  'h1 h2 h3 ul ol dl table figure pre blockquote details fieldset'.split(' '),
);
const MAX_LEVELS = 6;
const MAX_PATHS = 200;
const MAX_CLASSES = 2;
const CLASS_LIMIT = 120;
/** Votes of a path that the template makes, against one of the content. */
const TEMPLATE_VOTES = 3;

const BITS = 64;

export type ShapeCollector = {
  /** By depth in the tree: the hash of the path so far, and the number of its levels. */
  readonly hashes: number[];
  readonly levels: number[];
  readonly seen: Set<number>;
  readonly votes: Int32Array;
};

export function createShapeCollector(): ShapeCollector {
  return { hashes: [], levels: [], seen: new Set(), votes: new Int32Array(BITS) };
}

/** Elements arrive in document order, each with its depth. */
export function collectShape(shape: ShapeCollector, element: Element, depth: number, scope: PageScope): void {
  const hash = depth === 0 ? 0x811c9dc5 : (shape.hashes[depth - 1] as number);
  const level = depth === 0 ? 0 : (shape.levels[depth - 1] as number);
  shape.hashes[depth] = hash;
  shape.levels[depth] = level;
  if (level >= MAX_LEVELS || scope.boilerplate || scope.svgDepth > 0 || shape.seen.size >= MAX_PATHS) return;
  const tag = element.tagName;
  const isSection = SECTIONS.has(tag);
  if (!isSection && tag !== 'div' && !BLOCKS.has(tag)) return;
  const named = withClasses(mixText(hash, tag), element);
  if (tag === 'div' && named === null) return;
  const path = named ?? mixText(hash, tag);
  shape.hashes[depth] = path;
  shape.levels[depth] = level + 1;
  if (shape.seen.has(path)) return;
  shape.seen.add(path);
  vote(shape.votes, path, isSection || named !== null ? TEMPLATE_VOTES : 1);
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

/** The first classes without a digit, which would be an id or a size. Null if there is none. */
function withClasses(hash: number, element: Element): number | null {
  const value = element.attrs.find(({ name }) => name === 'class')?.value.slice(0, CLASS_LIMIT);
  if (value === undefined) return null;
  let [mixed, classes] = [hash, 0];
  for (const name of value.split(/\s+/)) {
    if (name === '' || /\d/.test(name)) continue;
    mixed = mixText(mixed, `.${name}`);
    classes += 1;
    if (classes === MAX_CLASSES) break;
  }
  return classes === 0 ? null : mixed;
}

function mixText(hash: number, text: string): number {
  let mixed = Math.imul(hash ^ 0x2f, 0x01000193);
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed;
}

function scramble(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/**
 * Pages of a site repeat addresses and texts: the same menu on every page, many links to one address. Each string
 * arrives from a parser as a separate copy, so equal ones are deduplicated here.
 */
import type { ImageFact, LinkFact, PageFacts, ResourceFact } from '../pageFacts.ts';

/** Cache size; when full, it is cleared. Strings already shared stay shared. */
const MAX_TEXTS = 20_000;

const LONGEST = 8_192;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export type ShareStrings = (facts: PageFacts) => void;

/**
 * Replaces strings of the facts by equal ones of earlier pages. It mutates the facts, so nothing else may hold them
 * yet.
 */
export function createStringSharing(maxTexts: number = MAX_TEXTS): ShareStrings {
  const texts = new Map<string, string>();

  function one<T extends string>(text: T): T {
    // Longer strings are hashed by their length alone: a map of many would compare each with all others.
    if (text.length > LONGEST) return text;
    const known = texts.get(text);
    if (known !== undefined) return known as T;
    if (texts.size >= maxTexts) texts.clear();
    texts.set(text, text);
    return text;
  }

  function shareLink(link: Writable<LinkFact>): void {
    link.text = one(link.text);
    if (link.url !== null) link.url = one(link.url);
    if (link.href !== undefined) link.href = one(link.href);
    if (link.area !== undefined) link.area = one(link.area);
    if (link.lang !== undefined) link.lang = one(link.lang);
    if (link.name !== undefined) link.name = one(link.name);
  }

  function shareImage(image: Writable<ImageFact>): void {
    if (image.url !== null) image.url = one(image.url);
    if (image.src !== undefined) image.src = one(image.src);
    if (image.alt !== null) image.alt = one(image.alt);
    if (image.area !== undefined) image.area = one(image.area);
  }

  function shareResource(resource: Writable<ResourceFact>): void {
    resource.url = one(resource.url);
    resource.kind = one(resource.kind);
    resource.selector = one(resource.selector);
  }

  return (facts) => {
    facts.links.forEach(shareLink);
    facts.images.forEach(shareImage);
    facts.resources.forEach(shareResource);
  };
}

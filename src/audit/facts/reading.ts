/** Readers for link and image facts, which omit values equal to another one. */
import type { Area, ImageFact, LinkFact, PageFacts } from './pageFacts.ts';

/** As written in the source. */
export function hrefOf(link: LinkFact): string {
  return link.href ?? link.url ?? '';
}

/** As written in the source; only the start of a data: URL. */
export function srcOf(image: ImageFact): string {
  return image.src ?? image.url ?? '';
}

/** Accessible name: text, image alt, aria-label, aria-labelledby or title. */
export function nameOf(link: LinkFact): string {
  return link.name ?? link.text;
}

/** 'main' also when the element is in no landmark. */
export function areaOf(fact: LinkFact | ImageFact): Area {
  return fact.area ?? 'main';
}

/** Neither in a landmark other than main nor in a menu. */
export function isInContent(link: LinkFact): boolean {
  return areaOf(link) === 'main' && link.menu !== true;
}

/** Language at the link's position: the nearest lang attribute in lower case, or '' if there is none. */
export function languageOf(link: LinkFact, page: PageFacts): string {
  return link.lang ?? languageTag(page.lang ?? '');
}

/** Normalizes a lang attribute for comparison. */
export function languageTag(attribute: string): string {
  return attribute.trim().toLowerCase().slice(0, 40);
}

/** What the facts of links and images say, where they leave out what equals something else. */
import type { Area, ImageFact, LinkFact, PageFacts } from './pageFacts.ts';

/** As written. */
export function hrefOf(link: LinkFact): string {
  return link.href ?? link.url ?? '';
}

/** As written; of a data: address the beginning. */
export function srcOf(image: ImageFact): string {
  return image.src ?? image.url ?? '';
}

/** Accessible name: text, image alt, aria-label, aria-labelledby or title. */
export function nameOf(link: LinkFact): string {
  return link.name ?? link.text;
}

/** 'main' also when no landmark holds it. */
export function areaOf(fact: LinkFact | ImageFact): Area {
  return fact.area ?? 'main';
}

/** Language of the place it stands in: the nearest lang attribute, lower case; '' when there is none. */
export function languageOf(link: LinkFact, page: PageFacts): string {
  return link.lang ?? languageTag(page.lang ?? '');
}

/** A lang attribute as languages are compared. */
export function languageTag(attribute: string): string {
  return attribute.trim().toLowerCase().slice(0, 40);
}

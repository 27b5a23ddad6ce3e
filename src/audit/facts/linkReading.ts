/** What a link's facts say, where they leave out what equals something else. */
import type { Area, LinkFact, PageFacts } from './pageFacts.ts';

/** As written. */
export function hrefOf(link: LinkFact): string {
  return link.href ?? link.url ?? '';
}

/** Accessible name: text, image alt, aria-label, aria-labelledby or title. */
export function nameOf(link: LinkFact): string {
  return link.name ?? link.text;
}

/** 'main' also when no landmark holds it. */
export function areaOf(link: LinkFact): Area {
  return link.area ?? 'main';
}

/** Language of the place it stands in: the nearest lang attribute, lower case; '' when there is none. */
export function languageOf(link: LinkFact, page: PageFacts): string {
  return link.lang ?? languageTag(page.lang ?? '');
}

/** A lang attribute as languages are compared. */
export function languageTag(attribute: string): string {
  return attribute.trim().toLowerCase().slice(0, 40);
}

/**
 * Places of links and images, named by their addresses: shorter than a path through the tree, and stable when the page
 * around them changes.
 */
import type { ImageFact, LinkFact } from '../../facts/pageFacts.ts';
import { areaOf, hrefOf, srcOf } from '../../facts/reading.ts';

/** Longer addresses are cut. */
const ADDRESS_LIMIT = 120;

/** `nav a[href="/x"]`: a CSS selector shared by all links to this address. */
export function linkPlace(link: LinkFact): string {
  if (link.selector !== undefined) return link.selector;
  return `${within(link)}a${havingAddress('href', hrefOf(link))}`;
}

/** `header img[src="/logo.png"]`: the same for images. */
export function imagePlace(image: ImageFact): string {
  if (image.selector !== undefined) return image.selector;
  return `${within(image)}img${havingAddress('src', srcOf(image))}`;
}

function within(fact: LinkFact | ImageFact): string {
  const area = areaOf(fact);
  return area === 'main' ? '' : `${area} `;
}

function havingAddress(attribute: string, address: string): string {
  if (address.length <= ADDRESS_LIMIT) return `[${attribute}="${quoted(address)}"]`;
  return `[${attribute}^="${quoted(address.slice(0, ADDRESS_LIMIT))}"]`;
}

/** Escapes text for a CSS string: newlines and other control characters by code. */
function quoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(16)} `);
}

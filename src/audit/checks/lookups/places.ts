/** Where links and images stand, named by their addresses: shorter than a path through the tree, and the same when the page around them changes. */
import type { ImageFact, LinkFact } from '../../facts/pageFacts.ts';
import { areaOf, hrefOf, srcOf } from '../../facts/reading.ts';

/** Longer addresses are cut. */
const ADDRESS_LIMIT = 120;

/** `nav a[href="/x"]`: a CSS selector that all links to this address share. */
export function linkPlace(link: LinkFact): string {
  if (link.selector !== undefined) return link.selector;
  return `${within(link)}a${havingAddress('href', hrefOf(link))}`;
}

/** `header img[src="/logo.png"]`, likewise. */
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

/** As it stands in a CSS string: line ends and other controls by their code. */
function quoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(16)} `);
}

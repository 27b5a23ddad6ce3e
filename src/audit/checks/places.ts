/** Where links stand, told by their addresses: shorter than a path through the tree, and the same when the page around them changes. */
import { areaOf, hrefOf } from '../facts/linkReading.ts';
import type { LinkFact } from '../facts/pageFacts.ts';

/** Longer addresses are told by their beginning. */
const ADDRESS_LIMIT = 120;

/** `nav a[href="/x"]`: a CSS selector that all links to this address share. */
export function linkPlace(link: LinkFact): string {
  if (link.selector !== undefined) return link.selector;
  const area = areaOf(link);
  const within = area === 'main' ? '' : `${area} `;
  return `${within}a${havingAddress('href', hrefOf(link))}`;
}

function havingAddress(attribute: string, address: string): string {
  if (address.length <= ADDRESS_LIMIT) return `[${attribute}="${quoted(address)}"]`;
  return `[${attribute}^="${quoted(address.slice(0, ADDRESS_LIMIT))}"]`;
}

/** As it stands in a CSS string: line ends and other controls by their code. */
function quoted(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replace(/\p{Cc}/gu, (control) => `\\${control.charCodeAt(0).toString(16)} `);
}

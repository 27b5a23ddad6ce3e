/** A page's links to other pages, internal and external. */
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import type { LinkFact, PageFacts, ResourceFact } from '../../facts/pageFacts.ts';
import { plural } from '../evidence.ts';
import { imagePlace } from './places.ts';
import { siteIndex } from './siteIndex.ts';

export type PageLink = LinkFact & { readonly url: string };

type Parted = { readonly internal: readonly PageLink[]; readonly external: readonly PageLink[] };

const parted = new WeakMap<PageFacts, Parted>();

function partsOf(page: CrawledPage): Parted {
  if (page.facts === null) return { internal: [], external: [] };
  let parts = parted.get(page.facts);
  if (parts === undefined) {
    const links = page.facts.links.filter((link): link is PageLink => link.url !== null);
    parts = { internal: links.filter((link) => link.internal), external: links.filter((link) => !link.internal) };
    parted.set(page.facts, parts);
  }
  return parts;
}

export function internalLinks(page: CrawledPage): readonly PageLink[] {
  return partsOf(page).internal;
}

export function externalLinks(page: CrawledPage): readonly PageLink[] {
  return partsOf(page).external;
}

/** The first link to each address, with a sentence about the page's other links to it; '' if there are none. */
export function oneForEach(links: readonly PageLink[]): { readonly link: PageLink; readonly others: string }[] {
  const byUrl = new Map<string, PageLink[]>();
  for (const link of links) {
    const same = byUrl.get(link.url);
    if (same === undefined) byUrl.set(link.url, [link]);
    else same.push(link);
  }
  return [...byUrl.values()].flatMap(([link, ...more]) => {
    if (link === undefined) return [];
    return [
      {
        link,
        others:
          more.length === 0
            ? ''
            : ` ${plural(more.length, 'more link')} of this page ${more.length === 1 ? 'leads' : 'lead'} there.`,
      },
    ];
  });
}

/** The crawl knows the answers of all these addresses. */
export function areKnown(links: readonly { readonly url: string | null }[], site: Crawl): boolean {
  const { isKnown } = siteIndex(site);
  return links.every(({ url }) => url === null || isKnown(url));
}

export type LoadedFile = {
  readonly url: string;
  readonly kind: ResourceFact['kind'] | 'image';
  readonly place: string;
};

/** Everything the page loads or submits to, images included. */
export function loadedFiles(page: CrawledPage): readonly LoadedFile[] {
  if (page.facts === null) return [];
  const files = page.facts.resources.map(({ url, kind, selector }) => ({ url, kind, place: selector }));
  const images = page.facts.images.flatMap((image) =>
    image.url === null ? [] : [{ url: image.url, kind: 'image' as const, place: imagePlace(image) }],
  );
  return [...files, ...images];
}

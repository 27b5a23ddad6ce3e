import type { Crawl } from '../../../crawl/site.ts';
import type { Pausable } from '../../../timeSlices.ts';
import { siteCheck } from '../../check.ts';
import { Listing } from '../../listing.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const sitemapImageBroken = siteCheck({
  id: 'sitemap-image-broken',
  title: 'Sitemap lists images that are gone',
  category: 'technical',
  group: 'sitemap',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Image search gets only images that really load.',
  timeToResult: '2-4 weeks',
  risk: 'Your sitemap lists images that no longer exist, so search engines waste requests on them.',
  steps: [
    'Open the image URLs that this report lists in your browser.',
    'If the image is still needed, upload it under exactly the same URL, for example with your web host’s file manager.',
    'If an SEO plugin or your CMS builds the sitemap, it takes the images from your pages. Remove or replace the broken image in the page’s editor and in its featured image, save the page, and clear your site’s cache so that the sitemap is rebuilt.',
    'If a script or a person writes the sitemap, delete the `<image:image>` entry with that URL.',
    'Open the sitemap and make sure each of these image URLs is gone or shows its image when you open it.',
  ],
  example: null,
  tags: ['sitemap', 'images', 'broken'],
  source:
    'Google Search Central: Build a sitemap (https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap)',
  appliesTo: function* (site) {
    return (yield* listedImages(site)).size > 0;
  },
  gathered: function* (site) {
    for (const image of (yield* listedImages(site)).keys()) if (siteIndex(site).answerOf(image) !== null) return true;
    return false;
  },
  complete: function* (site) {
    for (const image of (yield* listedImages(site)).keys()) {
      yield;
      if (!siteIndex(site).isKnown(image)) return false;
    }
    return true;
  },
  run: function* (site) {
    const listing = new Listing();
    for (const [image, loc] of yield* listedImages(site)) {
      yield;
      const status = siteIndex(site).answerOf(image)?.outcome.status ?? null;
      if (status === 404 || status === 410)
        listing.add(() => ({
          evidence: { url: image, place: 'sitemap image:loc', value: String(status) },
          message: `The sitemap lists the image ${image} for ${loc}, which answers with status ${status}.`,
        }));
    }
    return listing;
  },
});

/** Each with the first page that it is listed for. */
function* listedImages({ discovery }: Crawl): Pausable<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { urls } of discovery.sitemaps)
    for (const { loc, images = [] } of urls) {
      yield;
      for (const image of images) if (!found.has(image)) found.set(image, loc);
    }
  return found;
}

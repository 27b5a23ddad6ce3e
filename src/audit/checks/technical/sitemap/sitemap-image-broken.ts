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
    'Pick the case that fits. If the image is still needed, upload it again under the same URL.',
    'If not, remove the image entries that this report lists in the SEO plugin, CMS, or script that builds the sitemap. A plugin usually needs only to rebuild it.',
    'To check, open the image URLs in the sitemap in your browser: each shows its image.',
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

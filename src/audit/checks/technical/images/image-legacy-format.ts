import type { Crawl } from '../../../crawl/site.ts';
import { areaOf, srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const imageLegacyFormat = pageCheck({
  id: 'image-legacy-format',
  title: 'Images are offered only as JPEG, PNG or GIF',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  gain: 'The same images need less data and load faster.',
  timeToResult: '2-4 weeks',
  risk: 'Images on this page are offered only as JPEG, PNG, or GIF. Such files are usually larger than the same pictures in WebP or AVIF, so visitors wait longer and use more data.',
  steps: [
    'If your CMS, an image plugin, or your CDN can convert images, turn on WebP or AVIF there.',
    'If not, convert the images yourself, keep the originals, and offer both: put `<source type="image/avif" srcset="YOUR AVIF IMAGE ADDRESS">` and the existing `<img>` into a `<picture>` element.',
    'Open the Network tab in your browser’s developer tools, choose “Img”, reload the page, and make sure the Type column shows webp or avif for most images.',
  ],
  // No code is written: the new files do not exist yet.
  example: {
    before: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">',
    after:
      '<picture>\n  <source type="image/avif" srcset="YOUR AVIF IMAGE ADDRESS">\n  <img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">\n</picture>',
  },
  tags: ['images', 'speed'],
  source: 'SiteOne Crawler src/analysis/best_practice_analyzer.rs',
  appliesTo: hasImages,
  complete: (page, site) =>
    page.facts?.images.every(({ url }) => url === null || NAMED.test(url) || siteIndex(site).isKnown(url)) === true,
  run: (page, site) => {
    const legacy = page.facts.images.filter(
      (image) => !image.hidden && !image.modern && areaOf(image) === 'main' && isLegacy(image.url, site),
    );
    const [first] = legacy;
    if (first === undefined || legacy.length < THRESHOLDS.legacyImages) return [];
    return [
      {
        evidence: seen(page, imagePlace(first), legacy.map(srcOf).slice(0, 5).join(', ')),
        message: `${legacy.length} images are offered as JPEG, PNG or GIF only.`,
      },
    ];
  },
});

/**
 * Judges by content type if known, else by file name. A server that varies on Accept may send browsers a newer format.
 */
function isLegacy(url: string | null, site: Crawl): boolean {
  const outcome = url === null ? undefined : siteIndex(site).answerOf(url)?.outcome;
  if (outcome?.status !== 200) return url !== null && /\.(?:jpe?g|png|gif)(?:\?|$)/i.test(url);
  if (/\baccept\b(?!-)/i.test(header(outcome, 'vary') ?? '')) return false;
  return /^image\/(?:jpe?g|png|gif)\b/i.test(header(outcome, 'content-type') ?? '');
}

/** File names that reveal the format. */
const NAMED = /\.(?:jpe?g|png|gif|webp|avif|svg|ico|bmp)(?:\?|$)/i;

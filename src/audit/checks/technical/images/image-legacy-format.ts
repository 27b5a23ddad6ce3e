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
  title: 'Images use old formats',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Cuts image weight by a third or more.',
  timeToResult: '2-4 weeks',
  risk: 'Old formats are larger than needed.',
  steps: ['Serve WebP or AVIF.'],
  example: {
    before: null,
    after: '<picture><source type="image/avif" srcset="a.avif"><img src="a.jpg" alt="..."></picture>',
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

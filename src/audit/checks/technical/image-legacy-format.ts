import { areaOf, srcOf } from '../../facts/reading.ts';
import { hasImages } from '../applies.ts';
import type { PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { imagePlace } from '../places.ts';
import { html } from '../siteCode.ts';
import { header } from '../siteIndex.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const imageLegacyFormat: PageCheck = {
  id: 'image-legacy-format',
  scope: 'page',
  title: 'Images use old formats',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  businessValue: 'Cuts image weight by a third or more.',
  timeToResult: '2-4 weeks',
  why: 'Old formats are larger than needed.',
  fix: 'Serve WebP or AVIF.',
  codeExample: '<picture><source type="image/avif" srcset="a.avif"><img src="a.jpg" alt="..."></picture>',
  tags: ['images', 'speed'],
  source: 'SiteOne Crawler src/analysis/best_practice_analyzer.rs',
  lighthouse: null,
  hint: false,
  appliesTo: (page) => hasImages(page) && !/accept\b(?!-)/i.test(header(page.outcome, 'vary') ?? ''),
  run: (page) => {
    const legacy = page.facts.images.filter(
      (image) => !image.hidden && !image.modern && image.url !== null && areaOf(image) === 'main' && /\.(?:jpe?g|png|gif)(?:\?|$)/i.test(image.url),
    );
    const [first] = legacy;
    if (first === undefined || legacy.length < THRESHOLDS.legacyImages) return [];
    const path = srcOf(first).replace(/\.\w+(?=\?|$)/, '');
    return [
      {
        evidence: seen(
          page,
          imagePlace(first),
          legacy
            .map((image) => srcOf(image))
            .slice(0, 5)
            .join(', '),
        ),
        message: `${legacy.length} images are offered as JPEG, PNG or GIF only.`,
        code: `<picture>\n  <source srcset="${html(path)}.avif" type="image/avif">\n  <img src="${html(srcOf(first))}" alt="${html(first.alt ?? '')}">\n</picture>`,
      },
    ];
  },
};

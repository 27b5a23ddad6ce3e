import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const imageNotLazy = pageCheck({
  id: 'image-not-lazy',
  title: 'Images far down load at once',
  category: 'technical',
  group: 'images',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The top of the page loads first.',
  timeToResult: '2-4 weeks',
  risk: 'Images nobody sees yet compete for bandwidth.',
  steps: ['Add loading="lazy" below the fold.'],
  example: { before: null, after: '<img src="b.jpg" loading="lazy" alt="...">' },
  tags: ['images', 'speed'],
  source: 'MDN: loading attribute (https://developer.mozilla.org/docs/Web/HTML/Element/img)',
  appliesTo: (page) => htmlPage(page) && page.facts.totals.images > THRESHOLDS.lazyPageImages,
  run: (page) => {
    const later = page.facts.images.filter(
      (image) => image.index >= THRESHOLDS.lazyFromImage && !image.hidden && image.loading !== 'lazy',
    );
    const [first] = later;
    if (first === undefined || later.length <= THRESHOLDS.lazyImages) return [];
    return [
      {
        evidence: seen(page, imagePlace(first), `${later.length} images`),
        message: `${later.length} of ${plural(page.facts.totals.images, 'image')} further down load at once.`,
      },
    ];
  },
});

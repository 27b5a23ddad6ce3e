import { areaOf, srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
import { html } from '../../lookups/siteCode.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const heroImageLazy = pageCheck({
  id: 'hero-image-lazy',
  title: 'Main image is lazy-loaded',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Main picture appears sooner.',
  timeToResult: '2-4 weeks',
  risk: 'The browser delays the most important picture.',
  steps: ['Remove lazy and set fetchpriority.'],
  example: { before: null, after: '<img src="hero.jpg" fetchpriority="high" alt="...">' },
  tags: ['images', 'speed'],
  source: 'Lighthouse: lcp-discovery-insight',
  appliesTo: hasImages,
  run: (page) => {
    const hero = page.facts.images.find(
      (image) =>
        areaOf(image) === 'main' &&
        !image.hidden &&
        !(Number.parseInt(image.width ?? '', 10) < THRESHOLDS.heroMinWidth),
    );
    if (hero === undefined || hero.loading !== 'lazy' || (hero.wordsBefore ?? 0) >= THRESHOLDS.heroWords) return [];
    return [
      {
        evidence: seen(page, imagePlace(hero), srcOf(hero)),
        message: `The first image of the content, ${srcOf(hero)}, waits with loading="lazy".`,
        snippet: inPlaceOf(imagePlace(hero), `<img src="${html(srcOf(hero))}" loading="eager" fetchpriority="high">`),
      },
    ];
  },
});

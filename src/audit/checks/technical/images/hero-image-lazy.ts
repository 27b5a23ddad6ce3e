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
  gain: 'The main image appears sooner, which improves Largest Contentful Paint.',
  timeToResult: '2-4 weeks',
  risk: 'The browser waits for the layout before it loads the first image of the content, so what is probably the main picture appears late.',
  steps: [
    'Remove loading="lazy" from this image.',
    'Add fetchpriority="high" to it, and to no more than one image per page.',
    'If a theme or plugin adds lazy loading, exclude the first image of the content there.',
  ],
  example: {
    before: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION" loading="lazy">',
    after: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION" fetchpriority="high">',
  },
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

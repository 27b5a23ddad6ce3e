import { areaOf, srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
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
  risk: 'The first image of the content is lazy-loaded. The browser waits for the layout before it loads what is probably the main picture, so visitors see it late.',
  steps: [
    'Open the page and find the image that this report lists. If visitors have to scroll to see it, leave it as it is.',
    'If it shows at the top, remove `loading="lazy"` from its `<img>` in the template. If a theme or plugin adds lazy loading, exclude the first image of the content in its settings.',
    'Add `fetchpriority="high"` to this `<img>`, and to no more than one image per page.',
    'View the page source and make sure the `<img>` has `fetchpriority="high"` and no `loading="lazy"`.',
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
        snippet: inPlaceOf(imagePlace(hero), '<img loading="eager" fetchpriority="high">'),
      },
    ];
  },
});

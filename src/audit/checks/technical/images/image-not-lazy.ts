import type { Snippet } from '../../../../model/findings.ts';
import type { ImageFact } from '../../../facts/pageFacts.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const imageNotLazy = pageCheck({
  id: 'image-not-lazy',
  title: 'Images far down the page are not lazy-loaded',
  category: 'technical',
  group: 'images',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The top of the page loads faster, and visitors download only the images they scroll to.',
  timeToResult: '2-4 weeks',
  risk: 'Images far down this page load right away, so they compete with the top of the page for bandwidth. We estimated their position from the order of the images in the HTML.',
  steps: [
    'In the template or your image plugin’s settings, add `loading="lazy"` to the images that visitors have to scroll to.',
    'Leave it off the logo and the main image at the top.',
    'Give these images `width` and `height` too, so that nothing moves when they load.',
    'Open the Network tab in your browser’s developer tools, choose “Img”, reload the page, and make sure images far down load only when you scroll toward them.',
  ],
  example: {
    before: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">',
    after: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION" loading="lazy">',
  },
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
        snippet: madeLazy(page.facts.images, later),
      },
    ];
  },
});

/** Null if one of the first images has the same address: the code would make that one wait, too. */
function madeLazy(images: readonly ImageFact[], later: readonly ImageFact[]): Snippet | null {
  if (later.length > MOST_NAMED) return null;
  const places = new Set(later.map(imagePlace));
  const isShared = images.some((image) => image.index < THRESHOLDS.lazyFromImage && places.has(imagePlace(image)));
  return isShared ? null : inPlaceOf([...places].join(', '), '<img loading="lazy">');
}

/** A template shows more. */
const MOST_NAMED = 30;

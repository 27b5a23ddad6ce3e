import { srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';

export const imageNoSize = pageCheck({
  id: 'image-no-size',
  title: 'Images without width and height',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'The layout stays still while the page loads.',
  timeToResult: '2-4 weeks',
  risk: 'Images on this page have no width and height. Unless a stylesheet reserves their space, the layout jumps as they load, and visitors tap the wrong thing.',
  steps: [
    'In the content or the template, add the real size of the file in pixels to each `<img>` that this report lists, without a unit: `width="YOUR IMAGE WIDTH" height="YOUR IMAGE HEIGHT"`.',
    'Let images scale in the stylesheet with `img { max-width: 100%; height: auto; }`.',
    'View the page source and make sure each of these `<img>` tags has both attributes. On the page, make sure no image looks distorted.',
  ],
  // No code is written: the crawl does not measure images.
  example: {
    before: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">',
    after:
      '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION" width="YOUR IMAGE WIDTH" height="YOUR IMAGE HEIGHT">',
  },
  tags: ['images', 'speed'],
  source: 'Lighthouse: unsized-images',
  lighthouse: 'unsized-images',
  appliesTo: hasImages,
  run: (page) =>
    page.facts.images.flatMap((image) => {
      if (image.hidden || image.sized || srcOf(image).startsWith('data:image/svg')) return [];
      return [
        {
          evidence: seen(page, imagePlace(image), srcOf(image)),
          message: `The image ${srcOf(image)} has no width and height: unless a stylesheet gives it a size, the page jumps when it loads.`,
        },
      ];
    }),
});

import { srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';

export const imageNoSize = pageCheck({
  id: 'image-no-size',
  title: 'Images do not reserve space',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'No jumping layout while loading.',
  timeToResult: '2-4 weeks',
  risk: 'Content shifts and users mis-tap.',
  steps: ['Set width and height.'],
  example: { before: null, after: '<img src="a.jpg" width="800" height="600" alt="...">' },
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

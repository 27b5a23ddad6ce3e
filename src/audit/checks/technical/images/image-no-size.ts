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
  risk: 'Unless a stylesheet reserves their space, the layout jumps as they load, and people tap the wrong thing.',
  steps: [
    'Set width and height on each img element to the real size of the file in pixels, without a unit.',
    'Let CSS scale it with max-width: 100% and height: auto.',
  ],
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

import { srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';

export const imageAltMissing = pageCheck({
  id: 'image-alt-missing',
  title: 'Images have no alternative text',
  category: 'content',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Images become searchable and accessible.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines and screen readers cannot tell what is shown.',
  steps: ['Describe the image in a few words.'],
  example: { before: null, after: '<img src="oak-table.jpg" alt="Round oak dining table with four chairs">' },
  tags: ['images', 'accessibility'],
  source: 'axe-core rule image-alt (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'image-alt',
  appliesTo: hasImages,
  run: (page) =>
    page.facts.images.flatMap((image) => {
      if (image.hidden || image.decorative || image.alt === '' || (image.alt !== null && image.alt.trim() !== ''))
        return [];
      return [
        {
          evidence: seen(page, imagePlace(image), srcOf(image)),
          message: `The image ${srcOf(image)} has ${image.alt === null ? 'no alt text' : 'an alt text of white space'}.`,
        },
      ];
    }),
});

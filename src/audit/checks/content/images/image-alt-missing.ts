import { srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';

export const imageAltMissing = pageCheck({
  id: 'image-alt-missing',
  title: 'Images without alt text',
  category: 'content',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Image search can find the images, and people who can’t see them know what they show.',
  timeToResult: '2-6 weeks',
  risk: 'Search engines and screen readers can’t tell what the image shows.',
  steps: [
    'Add an alt attribute to the img element that says in a few words what the image shows.',
    'If the image is a link, say where it leads.',
    'If it’s only decoration, leave the attribute empty (alt="") so that screen readers skip it.',
  ],
  example: {
    before: '<img src="YOUR IMAGE ADDRESS">',
    after: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">',
  },
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

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
  risk: 'Images on the page have no alt text, so search engines and screen readers can’t tell what they show.',
  steps: [
    'In the editor or the template, open the alt text of each image that this report lists.',
    'If the image shows something, say what in a few words: `<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">`.',
    'If the image is a link, name the page it links to.',
    'If the image is only decoration, leave the attribute empty (`alt=""`) so that screen readers skip it.',
    'View the page source and make sure every `<img>` tag has an `alt` attribute.',
  ],
  // No code is written: only somebody who sees the image can say what it shows.
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

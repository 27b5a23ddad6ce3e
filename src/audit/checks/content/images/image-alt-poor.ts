import { hasImages, htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
import { cut } from '../../lookups/siteCode.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const imageAltPoor = pageCheck({
  id: 'image-alt-poor',
  title: 'Alt text says nothing or is too long',
  category: 'content',
  group: 'images',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Image search and screen reader users get a description they can use.',
  timeToResult: '2-6 weeks',
  risk: 'The alt text of some images is no help. If it’s only a file name or a word like “image,” it says nothing to search engines and blind visitors. If it’s very long, it’s tedious to listen to.',
  steps: [
    'In the editor or the template, open the alt text of each image that this report lists.',
    'If it’s a file name or a word like “photo,” replace it with a short description of what the image shows: `alt="YOUR IMAGE DESCRIPTION"`.',
    'If it’s longer than 125 characters, shorten it and move the explanation into a caption or the text beside the image.',
    'View the page source and make sure each `alt` attribute describes its image in 125 characters or fewer.',
  ],
  example: {
    before: '<img src="YOUR IMAGE ADDRESS" alt="IMG_0001.jpg">',
    after: '<img src="YOUR IMAGE ADDRESS" alt="YOUR IMAGE DESCRIPTION">',
  },
  tags: ['images', 'accessibility'],
  source:
    'Google Search Central: Image SEO best practices (https://developers.google.com/search/docs/appearance/google-images)',
  appliesTo: (page) =>
    hasImages(page) && htmlPage(page) && page.facts.images.some((image) => (image.alt ?? '').trim() !== ''),
  run: (page) =>
    page.facts.images.flatMap((image) => {
      const alt = (image.alt ?? '').trim();
      if (alt === '' || image.hidden) return [];
      const problem = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp)$/i.test(alt)
        ? 'is a file name'
        : /^(?:image|photo|picture|img|dsc|bild|foto)[\s_-]*\d*$/i.test(alt)
          ? 'describes nothing'
          : alt.length > THRESHOLDS.altMax
            ? `has ${alt.length} characters; ${THRESHOLDS.altMax} is the limit`
            : null;
      return problem === null
        ? []
        : [{ evidence: seen(page, imagePlace(image), alt), message: `The alt text "${cut(alt, 80)}" ${problem}.` }];
    }),
});

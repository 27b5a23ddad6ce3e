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
  risk: 'A file name or a word like “image” helps neither search engines nor blind visitors, and a very long text is tedious to listen to.',
  steps: [
    'Replace file names and words like “photo” with a short description of what the image shows.',
    'Keep the alt text under 125 characters.',
    'Move longer explanations into a caption or the text beside the image.',
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

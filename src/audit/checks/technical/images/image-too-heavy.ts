import type { Crawl } from '../../../crawl/site.ts';
import type { ImageFact } from '../../../facts/pageFacts.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { kilobytes, seen } from '../../evidence.ts';
import { imagePlace } from '../../lookups/places.ts';
import { contentLength, siteIndex } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const imageTooHeavy = pageCheck({
  id: 'image-too-heavy',
  title: 'Image files are too large',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Pages load faster and use less mobile data.',
  timeToResult: '2-4 weeks',
  risk: 'This page loads image files that are larger than most images need to be. They take long to download, above all on phones, and hold up the rest of the page.',
  steps: [
    'Find out how large the page shows each image that this report lists: right-click it, choose “Inspect”, and point at its `<img>` tag to see its width and height in pixels.',
    'Resize the image to twice that width, which sharp screens need, and upload the smaller file.',
    'Save it as WebP or AVIF, or compress it more: 200 KB is plenty for most images. An image plugin or your CDN can do this for all images.',
    'For images that fill the screen, offer smaller versions for phones with the attributes `srcset` and `sizes`.',
    'Open the Network tab in your browser’s developer tools, choose “Img”, reload the page, and make sure the images that this report lists are below 200 KB.',
  ],
  example: null,
  tags: ['images', 'speed'],
  source: 'web.dev: Image performance (https://web.dev/learn/performance/image-performance)',
  appliesTo: hasImages,
  gathered: (page, site) => page.facts?.images.some((image) => weightOf(image, site) !== null) === true,
  complete: (page, site) =>
    page.facts?.images.every((image) => image.url === null || weightOf(image, site) !== null) === true,
  run: (page, site) =>
    page.facts.images.flatMap((image) => {
      const bytes = weightOf(image, site);
      if (bytes === null || bytes <= THRESHOLDS.imageBytesWarning) return [];
      return [
        {
          evidence: seen(page, imagePlace(image), kilobytes(bytes)),
          message: `The image ${image.url} has ${kilobytes(bytes)}; ${kilobytes(THRESHOLDS.imageBytesWarning)} is plenty for most.`,
          hint: bytes <= THRESHOLDS.imageBytes,
        },
      ];
    }),
});

/** Content-Length in bytes; null if the image was not fetched, failed to load or has no such header. */
function weightOf(image: ImageFact, site: Crawl): number | null {
  const outcome = image.url === null ? undefined : siteIndex(site).answerOf(image.url)?.outcome;
  return outcome?.status === 200 ? contentLength(outcome) : null;
}

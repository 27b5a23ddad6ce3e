import { isRefusal } from '../../../crawl/outcome.ts';
import { srcOf } from '../../../facts/reading.ts';
import { hasImages } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { areKnown } from '../../lookups/pageLinks.ts';
import { imagePlace } from '../../lookups/places.ts';
import { header, siteIndex } from '../../lookups/siteIndex.ts';

export const imageBroken = pageCheck({
  id: 'image-broken',
  title: 'Images do not load',
  category: 'technical',
  group: 'images',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'The page looks complete, and its images can be found in image search.',
  timeToResult: 'immediate',
  risk: 'Images on this page don’t load. Visitors see a broken-image icon or an empty box, and the images can’t appear in image search.',
  steps: [
    'Open each image URL that this report lists in your browser.',
    'If the file is gone, upload it again under the same name.',
    'If the path, spelling, or capitalization is wrong, correct the `src` of the `<img>` in the content or the template.',
    'If the image is no longer needed, remove the `<img>` element.',
    'Reload the page and make sure each of these images shows or is gone.',
  ],
  example: null,
  tags: ['images', 'broken'],
  source:
    'Screaming Frog SEO Spider issue library: Response codes: Internal client error 4xx (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: hasImages,
  gathered: (page, site) =>
    page.facts?.images.some((image) => image.url !== null && siteIndex(site).answerOf(image.url) !== null) === true,
  complete: (page, site) => areKnown(page.facts?.images ?? [], site),
  run: (page, site) =>
    page.facts.images.flatMap((image) => {
      const outcome = image.url === null ? undefined : siteIndex(site).answerOf(image.url)?.outcome;
      if (outcome === undefined || outcome.status === null || isRefusal(outcome.status)) return [];
      const type = header(outcome, 'content-type') ?? '';
      const problem =
        outcome.status >= 400
          ? `answers with status ${outcome.status}`
          : /^(?:text\/|application\/(?:json|xhtml))/i.test(type)
            ? `is ${type}, not an image`
            : null;
      return problem === null
        ? []
        : [{ evidence: seen(page, imagePlace(image), srcOf(image)), message: `The image ${srcOf(image)} ${problem}.` }];
    }),
});

import { parseUrl } from '../../../model/parseUrl.ts';
import type { Crawl, CrawledPage, FileCheck } from '../../crawl/site.ts';
import { excerpt } from '../../excerpt.ts';
import { htmlPage, indexableContent } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { shareImageProblem } from '../lookups/shareImages.ts';
import { propertyOf } from '../lookups/siteCode.ts';
import { siteIndex } from '../lookups/siteIndex.ts';

export const ogImageInvalid = pageCheck({
  id: 'og-image-invalid',
  title: 'Share image is broken or unsuitable',
  category: 'social',
  group: 'open-graph',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Shared links stand out with a large picture.',
  timeToResult: 'immediate',
  risk: 'Link previews can’t use the page’s share image (og:image). If it doesn’t load or has no full URL, they come without a picture. If it’s too small or of the wrong type, the picture is tiny or left out.',
  steps: [
    'Make a JPG or PNG image of 1200 by 630 pixels and less than 5 MB.',
    'Upload it to a place that opens without a log-in, such as your media library.',
    'If an SEO plugin writes your Open Graph tags, choose the image as the page’s social image there.',
    'If you edit the template, put the image’s full URL, starting with https://, in `<meta property="og:image" content="YOUR IMAGE ADDRESS">`.',
    'View the page source, copy the URL from the `og:image` tag, open it in a private window, and make sure the new image appears.',
  ],
  // No code is written: which picture stands for the page is the owner’s choice.
  example: {
    before: '<meta property="og:image" content="/YOUR IMAGE PATH">',
    after: '<meta property="og:image" content="https://YOUR DOMAIN/YOUR IMAGE PATH">',
  },
  tags: ['open-graph', 'images'],
  source: 'The Open Graph protocol (https://ogp.me/)',
  appliesTo: (page, site) => indexableContent(page, site) && htmlPage(page) && propertyOf(page, 'og:image') !== null,
  gathered: (page, site) => !isWholeAddress(written(page)) || fileOf(page, site) !== null,
  run: (page, site) => {
    const address = written(page);
    const file = fileOf(page, site);
    const problem = !isWholeAddress(address)
      ? 'isn’t a full address that begins with https://'
      : file === null
        ? null
        : shareImageProblem(file);
    return problem === null
      ? []
      : [
          {
            evidence: seen(page, 'head > meta[property="og:image"]', address),
            message: `The share image ${excerpt(address, 120)} ${problem}.`,
          },
        ];
  },
});

function written(page: CrawledPage): string {
  return htmlPage(page) ? (propertyOf(page, 'og:image') ?? '') : '';
}

function isWholeAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && parseUrl(address) !== null;
}

function fileOf(page: CrawledPage, site: Crawl): FileCheck | null {
  const file = siteIndex(site).fileOf('share-image', written(page));
  return file === null || file.outcome.status === 429 ? null : file;
}

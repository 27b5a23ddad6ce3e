import { hasImages, isIndexable } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { directivePlace } from '../../lookups/directives.ts';

export const noimageindex = pageCheck({
  id: 'noimageindex',
  title: 'Page keeps its images out of search',
  category: 'technical',
  group: 'indexability',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Your images can bring in visitors from image search.',
  timeToResult: '1-4 weeks',
  risk: 'The page asks search engines not to index its images, so they can’t appear in image search for this page.',
  steps: [
    'If you want to keep these images out of search, leave the page as it is.',
    'If this report shows a robots meta tag, remove `noimageindex` from it in your SEO plugin’s settings or in the template.',
    'If this report shows an `X-Robots-Tag` header, remove `noimageindex` from it in your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Make sure noimageindex no longer appears in the page source or in the response headers. For these, open the Network tab in your browser’s developer tools, reload the page, and click its entry.',
  ],
  example: {
    before: '<meta name="robots" content="noimageindex, max-image-preview:large">',
    after: '<meta name="robots" content="max-image-preview:large">',
  },
  tags: ['images', 'snippet'],
  source:
    'Google Search Central: Robots meta tag (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag)',
  appliesTo: (page, site) => isIndexable(page, site) && hasImages(page),
  run: (page) => {
    const place = directivePlace(page, (directive) => directive === 'noimageindex');
    if (place === null) return [];
    return [
      { evidence: place.evidence, message: `"${place.evidence.value}" keeps the images of this page out of search.` },
    ];
  },
});

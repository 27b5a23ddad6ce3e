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
    'Remove noimageindex from the robots meta tag or X-Robots-Tag header shown in the finding.',
    'Leave it only on pages whose images shouldn’t be found.',
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

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
  gain: 'Images bring visitors of their own, and stand beside results and in Discover.',
  timeToResult: '1-4 weeks',
  risk: 'With noimageindex, Google lists no image under this page.',
  steps: ['Drop noimageindex, unless the images must not be found.'],
  example: { before: null, after: '<meta name="robots" content="max-image-preview:large">' },
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

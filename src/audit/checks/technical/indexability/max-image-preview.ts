import type { Crawl, CrawledPage } from '../../../crawl/site.ts';
import { areaOf } from '../../../facts/reading.ts';
import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { directivePlace, headerPlaces, metaPlaces } from '../../lookups/directives.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';
import { metaSet } from '../../lookups/snippets.ts';

export const maxImagePreview = pageCheck({
  id: 'max-image-preview',
  title: 'Large image previews are not enabled',
  category: 'technical',
  group: 'indexability',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Google can show your images large in Discover and in search results.',
  timeToResult: '2-4 weeks',
  risk: 'Nothing on this page permits large image previews, so Google may show only small thumbnails of its images.',
  steps: [
    'If you want Google to show only small previews, leave the page as it is.',
    'In your SEO plugin’s settings or in the template, add `<meta name="robots" content="max-image-preview:large">` to the `<head>` of every page.',
    'If the page already has a robots meta tag, don’t add a second one: write `max-image-preview:large` into its `content` after a comma.',
    'View the page source and make sure `max-image-preview:large` appears there once.',
  ],
  example: { before: null, after: '<meta name="robots" content="max-image-preview:large">' },
  tags: ['snippet', 'images'],
  source:
    'Google Search Central: Robots meta tag specifications (https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag)',
  hint: true,
  appliesTo: (page, site) => indexableContent(page, site) && hasContentImage(page, site),
  run: (page) => {
    if (directivePlace(page, (directive) => /^max-image-preview:\s*large$/.test(directive)) !== null) return [];
    const robots = page.facts.metas.find((meta) => meta.name === 'robots')?.content ?? '';
    return [
      {
        evidence: seen(page, 'head > meta[name=robots]', robots === '' ? 'missing' : robots),
        message: 'Nothing allows search engines to show large previews of the images on this page.',
        // Of two values, the stricter one counts.
        snippet:
          /max-image-preview/i.test(robots) || metaPlaces(page).length + headerPlaces(page).length > 1
            ? null
            : metaSet(
                page,
                'name',
                'robots',
                robots === '' ? 'max-image-preview:large' : `${robots}, max-image-preview:large`,
              ),
      },
    ];
  },
});

function hasContentImage(page: CrawledPage, site: Crawl): boolean {
  const { everywhere } = siteIndex(site);
  return (page.facts?.images ?? []).some(
    (image) => !image.hidden && areaOf(image) === 'main' && image.url !== null && !everywhere.has(image.url),
  );
}

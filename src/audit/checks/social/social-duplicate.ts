import { isOriginal, severalPages, wholeCrawl } from '../applies.ts';
import { type Fault, type HtmlPage, siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { pagesSharing } from '../lookups/duplicates/nearDuplicates.ts';
import { pagesWhere } from '../lookups/pages.ts';
import { propertyOf, titleOf } from '../lookups/siteCode.ts';
import { metaSet } from '../lookups/snippets.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const socialDuplicate = siteCheck({
  id: 'social-duplicate',
  title: 'Several pages share one social preview',
  category: 'social',
  group: 'open-graph',
  impact: 'low',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Each shared link shows what its own page is about.',
  timeToResult: 'immediate',
  risk: 'Several pages share one link preview, so people can’t tell the pages apart. If they share one og:title, each shared link has the same title. If they share one og:image, each has the same picture.',
  steps: [
    'Open the social settings of your SEO plugin, or the template that writes the Open Graph tags.',
    'Fill `<meta property="og:title" content="YOUR PAGE TITLE">` from the page’s own title instead of a fixed text.',
    'Fill `<meta property="og:image" content="YOUR IMAGE ADDRESS">` with a picture from the page, and use a general one only as a fallback.',
    'View the source of the pages and make sure each has its own `og:title`, and each page with pictures has its own `og:image`.',
  ],
  example: {
    before: '<meta property="og:title" content="YOUR SITE NAME">',
    after: '<meta property="og:title" content="YOUR PAGE TITLE">',
  },
  tags: ['open-graph', 'duplicate'],
  source: 'SiteOne Crawler src/analysis/seo_opengraph_analyzer.rs',
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: function* (site) {
    const pages = yield* pagesWhere(site, (page) => isOriginal(page, site) && propertyOf(page, 'og:title') !== null);
    return [...sharedTitles(pages), ...oneImage(pages)];
  },
});

function sharedTitles(pages: readonly HtmlPage[]): Fault[] {
  return pagesSharing(pages, (page) => propertyOf(page, 'og:title') ?? '').flatMap((duplicates) => {
    const titles = new Set(duplicates.map((page) => titleOf(page)));
    if (duplicates.length < THRESHOLDS.socialDuplicates || titles.size < THRESHOLDS.socialDuplicates) return [];
    return duplicates.map((page) => ({
      evidence: seen(page, 'head > meta[property="og:title"]', propertyOf(page, 'og:title') ?? ''),
      message: `${duplicates.length} pages with different titles share the og:title "${propertyOf(page, 'og:title') ?? ''}".`,
      snippet: metaSet(page, 'property', 'og:title', titleOf(page)),
    }));
  });
}

function oneImage(pages: readonly HtmlPage[]): Fault[] {
  const [first] = pages;
  const image = first === undefined ? null : propertyOf(first, 'og:image');
  if (first === undefined || image === null || pages.length < THRESHOLDS.socialDuplicates) return [];
  if (pages.some((page) => propertyOf(page, 'og:image') !== image)) return [];
  return [
    {
      evidence: seen(first, 'head > meta[property="og:image"]', image),
      message: `All ${pages.length} pages share the image ${image} in previews.`,
      hint: true,
    },
  ];
}

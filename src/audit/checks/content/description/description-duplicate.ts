import { described, isOriginal, severalPages, wholeCrawl } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pagesSharing, withoutCopies, withoutRelatives } from '../../lookups/duplicates/nearDuplicates.ts';
import { pagesWhere } from '../../lookups/pages.ts';
import { metaOf } from '../../lookups/siteCode.ts';
import { normalText } from '../../phrases.ts';

export const descriptionDuplicate = siteCheck({
  id: 'description-duplicate',
  title: 'Several pages share one meta description',
  category: 'content',
  group: 'description',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Each search result tells people what they’ll find on that page.',
  timeToResult: '2-6 weeks',
  risk: 'Several pages share one meta description, so their search results look alike and people can’t tell which page to open.',
  steps: [
    'In your SEO plugin’s settings or in the template, find the shared text, which is in the page source as `<meta name="description" content="YOUR SITE SLOGAN">`.',
    'If a template sets the text, have it print each page’s own summary or excerpt field instead of a fixed sentence, and no tag at all where that field is empty.',
    'Write a separate description for each page that matters: what’s on it and why to open it.',
    'If a page is minor, remove the shared description from it and let search engines pick an excerpt.',
    'View the source of each page and make sure it has its own description or none.',
  ],
  example: {
    before: '<meta name="description" content="YOUR SITE SLOGAN">',
    after: '<meta name="description" content="YOUR PAGE SUMMARY">',
  },
  tags: ['description', 'duplicate'],
  source: 'Google Search Central: Snippets (https://developers.google.com/search/docs/appearance/snippet)',
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: function* (site) {
    const pages = yield* pagesWhere(site, (page) => isOriginal(page, site) && described(page));
    const faults: Fault[] = [];
    for (const sharing of pagesSharing(withoutCopies(pages), (page) => normalText(metaOf(page, 'description') ?? ''))) {
      const duplicates = yield* withoutRelatives(sharing, site);
      if (duplicates.length < 2) continue;
      for (const page of duplicates)
        faults.push({
          evidence: seen(page, 'head > meta[name=description]', metaOf(page, 'description') ?? ''),
          message: `${duplicates.length} pages have this meta description.`,
        });
    }
    return faults;
  },
});

import { isOriginal, severalPages, titled, wholeCrawl } from '../../applies.ts';
import { type Fault, siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pagesSharing, withoutCopies, withoutRelatives } from '../../lookups/duplicates/nearDuplicates.ts';
import { pagesWhere } from '../../lookups/pages.ts';
import { titleOf } from '../../lookups/siteCode.ts';
import { normalText } from '../../phrases.ts';

export const titleDuplicate = siteCheck({
  id: 'title-duplicate',
  title: 'Several pages share one title',
  category: 'content',
  group: 'title',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Each page can rank for its own subject.',
  timeToResult: '2-6 weeks',
  risk: 'Several pages share one title, so neither searchers nor search engines can tell from it what sets the pages apart.',
  steps: [
    'In your SEO plugin’s settings or in the template, give each page a title that names what only this page offers: `<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>`.',
    'If a template sets the title, let it start with the page’s own headline or product name.',
    'If two pages cover the same subject, move the text of one into the other and set up a 301 redirect from the page you no longer need, in your CMS, your web host’s control panel, or the server’s configuration.',
    'View the source of each page and make sure no other page has the same `<title>`. If you set up a redirect, open the old URL and make sure you land on the other page.',
  ],
  example: { before: '<title>YOUR SITE NAME</title>', after: '<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>' },
  tags: ['title', 'duplicate'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: severalPages,
  complete: wholeCrawl,
  run: function* (site) {
    const originals = yield* pagesWhere(site, (page) => isOriginal(page, site) && titled(page));
    const faults: Fault[] = [];
    for (const sharing of pagesSharing(
      withoutCopies(originals),
      (page) => `${normalText(titleOf(page))}\n${page.facts.lang ?? ''}`,
    )) {
      const pages = yield* withoutRelatives(sharing, site);
      if (pages.length < 2) continue;
      for (const page of pages)
        faults.push({
          evidence: seen(page, 'head > title', titleOf(page)),
          message: `${pages.length} pages have the title "${titleOf(page)}".`,
        });
    }
    return faults;
  },
});

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
  gain: 'Each page can rank for its own term.',
  timeToResult: '2-6 weeks',
  risk: 'Pages compete with one another.',
  steps: ['Give every page its own title.'],
  example: null,
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

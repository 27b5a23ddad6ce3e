import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { hidesPage, isFinished, isOnePlace, withoutDirectives } from '../../lookups/directiveCode.ts';
import { blockingMeta, hidesFromGate, INDEXING_BOTS, isBlockedForAll } from '../../lookups/directives.ts';
import { keptOut } from '../../lookups/keptOut.ts';

export const noindexMeta = pageCheck({
  id: 'noindex-meta',
  title: 'Page is excluded by a robots meta tag',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Once the noindex is gone, search engines can show the page.',
  timeToResult: '1-2 weeks',
  risk: 'The page’s robots meta tag says noindex. It asks search engines not to index the page, so it can’t appear in search results.',
  steps: [
    'If the page should stay out of search, leave the tag as it is.',
    'If the page should be found, remove `noindex` (or `none`, which includes it) from `<meta name="robots" content="noindex">` in your SEO plugin’s settings for the page or in the template.',
    'In WordPress, also go to Settings > Reading and clear “Discourage search engines from indexing this site” if it’s checked.',
    'View the page source and make sure the robots meta tag no longer says noindex. Then request indexing with URL Inspection in Google Search Console.',
  ],
  example: {
    before: '<meta name="robots" content="noindex">',
    after: '<meta name="robots" content="index, follow, max-image-preview:large">',
  },
  tags: ['noindex', 'meta'],
  source: 'Lighthouse: is-crawlable',
  lighthouse: 'is-crawlable',
  appliesTo: htmlPage,
  run: function* (page, site) {
    const places = INDEXING_BOTS.map((bot) => blockingMeta(page, bot, site));
    const found = places.find((place) => place !== null);
    if (found === undefined || found === null) return [];
    const kept = keptOut(page, site);
    if (kept.verdict === 'expected') return [];
    if (kept.verdict === 'intended') return [{ evidence: found.evidence, message: kept.note, hint: true }];
    const bots = INDEXING_BOTS.filter((_, index) => places[index] !== null).map((bot) => bot ?? 'all other crawlers');
    // The verdict is Lighthouse's; the message and the score go by what search engines do.
    const all = yield* isBlockedForAll(page, site);
    const message =
      all || places.every((place) => place !== null)
        ? `The robots meta tag says "${found.evidence.value}": no search engine may list this page${kept.but}.`
        : `The robots meta tag "${found.evidence.value}" hides this page from ${bots.join(', ')}, while others may list it${kept.but}.`;
    return [
      {
        evidence: found.evidence,
        message,
        hint: !hidesFromGate(bots),
        snippet: isFinished(page) && isOnePlace(page) ? withoutDirectives(found, hidesPage) : null,
      },
    ];
  },
});

import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { hidesPage, isFinished, isOnePlace, withoutDirectives } from '../../lookups/directiveCode.ts';
import { blockingHeader, hidesFromGate, INDEXING_BOTS, isBlockedForAll } from '../../lookups/directives.ts';
import { keptOut } from '../../lookups/keptOut.ts';

export const noindexHeader = pageCheck({
  id: 'noindex-header',
  title: 'Page is excluded by an X-Robots-Tag header',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'medium',
  minutes: 20,
  gain: 'Pages kept out by a hidden server setting can appear in search.',
  timeToResult: '1-2 weeks',
  risk: 'The server sends this page with an X-Robots-Tag header that says noindex. The header keeps the page out of search, even though nothing in the HTML shows it.',
  steps: [
    'If the page should stay out of search, leave the header as it is.',
    'If the page should be found, remove `noindex` from the `X-Robots-Tag` header where it’s set: in your web host’s control panel, your CDN, the server’s configuration, or the CMS. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure no response header says noindex. Then request indexing with URL Inspection in Google Search Console.',
  ],
  example: null,
  tags: ['noindex', 'headers'],
  source: 'Lighthouse: is-crawlable',
  lighthouse: 'is-crawlable',
  appliesTo: htmlPage,
  run: function* (page, site) {
    const places = INDEXING_BOTS.map((bot) => blockingHeader(page, bot, site));
    const found = places.find((place) => place !== null);
    if (found === undefined || found === null) return [];
    const kept = keptOut(page, site);
    if (kept.verdict === 'expected') return [];
    if (kept.verdict === 'intended') return [{ evidence: found.evidence, message: kept.note, hint: true }];
    const bots = INDEXING_BOTS.filter((_, index) => places[index] !== null).map((bot) => bot ?? 'all other crawlers');
    const all = yield* isBlockedForAll(page, site);
    const message = all
      ? `The response header X-Robots-Tag says "${found.evidence.value}": no search engine may list this page${kept.but}.`
      : `The response header X-Robots-Tag "${found.evidence.value}" hides this page from ${bots.join(', ')}, while others may list it${kept.but}.`;
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

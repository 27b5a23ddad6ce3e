import { isAllowed, type RobotsDecision } from '../../../crawl/robots/robots.ts';
import { hasRobotsText, isPageAddress } from '../../applies.ts';
import { answerCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hidesFromGate, INDEXING_BOTS, isBlockedForAll } from '../../lookups/directives.ts';
import { keptOut } from '../../lookups/keptOut.ts';
import { exactPattern, openedToAll, unblocking } from '../../lookups/serverCode.ts';
import { isShutToAll } from '../../lookups/shutSite.ts';
import { areRulesRead, pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';

export const robotsBlocksPage = answerCheck({
  id: 'robots-blocks-page',
  title: 'robots.txt blocks this page',
  category: 'technical',
  group: 'indexability',
  impact: 'high',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Crawlers can read the page, so search engines can index what it says.',
  timeToResult: '1-2 weeks',
  risk: 'Your robots.txt blocks this page, so crawlers that obey the file can’t read it. If the page shows up in search at all, it’s without its content.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and find the line that this report names.',
    'If the page should be found, delete the line if it blocks nothing else you want to hide. Otherwise add an `Allow` line below it, with a path longer than that of the `Disallow` line, such as `Allow: /YOUR FOLDER/YOUR PAGE`. It also opens every URL that begins with this path.',
    'If the page should stay out of search, allow it in the same way and add `<meta name="robots" content="noindex">` to its `<head>`, because a blocked page can still be indexed by its URL alone.',
    'Enter the page’s URL in URL Inspection in Google Search Console, run “Test live URL”, and make sure it no longer says that robots.txt blocks the page.',
  ],
  example: {
    before: 'User-agent: *\nDisallow: /YOUR FOLDER/',
    after: 'User-agent: *\nDisallow: /YOUR FOLDER/\nAllow: /YOUR FOLDER/YOUR PAGE',
  },
  tags: ['robots.txt', 'crawling'],
  source: 'Lighthouse: is-crawlable; RFC 9309 Robots Exclusion Protocol (https://www.rfc-editor.org/rfc/rfc9309.html)',
  lighthouse: 'is-crawlable',
  appliesTo: (page, site) => hasRobotsText(site) && isPageAddress(page),
  complete: (_page, site) => INDEXING_BOTS.every((bot) => areRulesRead(site, bot ?? '*')),
  run: function* (page, site) {
    const blocked: { readonly bot: string | null; readonly rule: RobotsDecision }[] = [];
    for (const bot of INDEXING_BOTS) {
      yield;
      const rule = isAllowed(siteIndex(site).robots, bot ?? '*', page.url);
      if (!rule.allowed) blocked.push({ bot, rule });
    }
    const [first] = blocked;
    if (first === undefined) return [];
    const kept = keptOut(page, site);
    if (kept.verdict === 'expected') return [];
    const all = yield* isBlockedForAll(page, site);
    const names = blocked.map(({ bot }) => bot ?? 'all other crawlers').join(', ');
    const evidence = seen(page, `robots.txt line ${first.rule.line ?? 0}`, first.rule.rule ?? '');
    if (kept.verdict === 'intended') return [{ evidence, message: kept.note, hint: true }];
    const message = all
      ? `The rule "${first.rule.rule}" in robots.txt keeps every search engine from ${pathAndQueryOf(page.url)}${kept.but}.`
      : `The rule "${first.rule.rule}" in robots.txt keeps ${names} from ${pathAndQueryOf(page.url)}, while others may fetch it${kept.but}.`;
    const bots = INDEXING_BOTS.map((bot) => bot ?? '*');
    // Where nobody may crawl, the rule for all is what to fix.
    const snippet = isShutToAll(site)
      ? openedToAll(site)
      : yield* unblocking(page.url, siteIndex(site).robots, bots, [exactPattern(page.url)]);
    return [{ evidence, message, hint: !hidesFromGate(blocked.map(({ bot }) => bot)), snippet }];
  },
});

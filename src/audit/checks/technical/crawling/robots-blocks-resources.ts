import { isAllowed } from '../../../crawl/robots/robots.ts';
import type { CrawledPage } from '../../../crawl/site.ts';
import type { ResourceFact } from '../../../facts/pageFacts.ts';
import { hasRobotsText, htmlPage } from '../../applies.ts';
import { type Fault, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { exactPattern, unblocking } from '../../lookups/serverCode.ts';
import { areRulesRead, hostOf, pathAndQueryOf, siteIndex } from '../../lookups/siteIndex.ts';

export const robotsBlocksResources = pageCheck({
  id: 'robots-blocks-resources',
  title: 'robots.txt blocks CSS or JavaScript the page needs',
  category: 'technical',
  group: 'crawling',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Google sees the page the way your visitors do.',
  timeToResult: '2-4 weeks',
  risk: 'Your robots.txt keeps Google from loading files that the page needs. If it’s CSS, Google sees a broken layout. If it’s JavaScript, Google can miss content that the script adds.',
  steps: [
    'Open robots.txt in your SEO plugin’s settings or your web host’s file manager (or ask your host’s support team), and find the line that this report names.',
    'If the line blocks nothing else you want to hide, delete it. Otherwise add an `Allow` line below it, with a path longer than that of the `Disallow` line: the folder with your CSS and JavaScript files, such as `Allow: /YOUR SYSTEM FOLDER/YOUR ASSET FOLDER/`. It opens everything in that folder.',
    'Enter the page’s URL in URL Inspection in Google Search Console, run “Test live URL”, and make sure the screenshot of the tested page looks complete.',
  ],
  example: {
    before: 'User-agent: *\nDisallow: /YOUR SYSTEM FOLDER/',
    after: 'User-agent: *\nDisallow: /YOUR SYSTEM FOLDER/\nAllow: /YOUR SYSTEM FOLDER/YOUR ASSET FOLDER/',
  },
  tags: ['robots.txt', 'rendering'],
  source:
    'Google Search Central: Robots.txt introduction (https://developers.google.com/search/docs/crawling-indexing/robots/intro)',
  // A page that may not be fetched is not rendered either.
  appliesTo: (page, site) =>
    hasRobotsText(site) &&
    htmlPage(page) &&
    isAllowed(siteIndex(site).robots, 'Googlebot', page.outcome.url).allowed &&
    ownResources(page).length > 0,
  complete: (_page, site) => areRulesRead(site, 'Googlebot'),
  run: function* (page, site) {
    const faults: Fault[] = [];
    for (const resource of ownResources(page)) {
      yield;
      const { allowed, rule, line } = isAllowed(siteIndex(site).robots, 'Googlebot', resource.url);
      if (allowed) continue;
      const evidence = seen(page, resource.selector, resource.url);
      const file = exactPattern(resource.url);
      faults.push({
        evidence,
        message: `Googlebot may not load ${pathAndQueryOf(resource.url)}: robots.txt line ${line ?? 0} says "${rule}".`,
        snippet: yield* unblocking(resource.url, siteIndex(site).robots, ['Googlebot'], [folderOf(file), file]),
      });
    }
    return faults;
  },
});

function ownResources(page: CrawledPage): readonly ResourceFact[] {
  return (page.facts?.resources ?? []).filter(
    ({ kind, url }) => (kind === 'script' || kind === 'stylesheet') && hostOf(url) === hostOf(page.outcome.url),
  );
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1);

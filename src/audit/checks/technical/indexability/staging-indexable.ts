import { hasStartPage, isIndexable } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { stagingLabelOf } from '../../lookups/roles.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const stagingIndexable = siteCheck({
  id: 'staging-indexable',
  title: 'Staging site can be indexed',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Only the real site shows up in search, and unfinished pages stay private.',
  timeToResult: '1-4 weeks',
  risk: 'Nothing keeps this site out of search, although its host name looks like that of a test version. A single link is enough for it to start competing with the real pages.',
  steps: [
    'If this is your public site, leave it as it is.',
    'If not, protect this host with a password in your web host’s control panel or the server’s configuration. If you can’t do either yourself, send this step to your host’s support team.',
    'If a password isn’t possible, send the header `X-Robots-Tag: noindex` with every response of this host. Make sure it doesn’t move to the public site with the next launch.',
    'Don’t block the host in robots.txt instead, because crawlers would then never see the noindex.',
    'Open the test site in a private window and make sure it asks for a password. If you sent the header instead, open the Network tab in your browser’s developer tools, reload the page, click its entry, and make sure the response headers contain it.',
  ],
  example: { before: null, after: 'X-Robots-Tag: noindex' },
  tags: ['staging', 'noindex', 'duplicate'],
  source: 'Google Search Central: Block search indexing with noindex',
  appliesTo: (site) => hasStartPage(site) && stagingLabelOf(site) !== null,
  run: (site) => {
    const { start } = siteIndex(site);
    if (start === null || !isIndexable(start, site)) return [];
    return [
      {
        evidence: seen(start, 'url', new URL(start.outcome.url).host),
        message: `The site looks like one for tests (its host has the label "${stagingLabelOf(site)}"), and nothing keeps search engines from listing it.`,
      },
    ];
  },
});

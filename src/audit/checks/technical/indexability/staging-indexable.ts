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
  risk: 'Going by its host name, this is a test version of a site, and nothing keeps it out of search. A single link is enough for it to start competing with the real pages.',
  steps: [
    'Protect the host with a password, for example with HTTP authentication.',
    'Where that isn’t possible, send the header X-Robots-Tag: noindex with every response.',
    'Don’t block the host in robots.txt instead, because crawlers would then never see the noindex.',
    'If this is your public site, leave it as it is.',
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

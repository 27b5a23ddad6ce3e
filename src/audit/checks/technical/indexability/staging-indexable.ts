import { hasStartPage, isIndexable } from '../../applies.ts';
import { siteCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { stagingLabelOf } from '../../lookups/roles.ts';
import { siteIndex } from '../../lookups/siteIndex.ts';

export const stagingIndexable = siteCheck({
  id: 'staging-indexable',
  title: 'Test version of the site may be listed',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Only the real site is found, and unfinished pages stay private.',
  timeToResult: '1-4 weeks',
  risk: 'A copy for tests competes with the real pages as soon as a single link leads to it.',
  steps: ['Ask for a password on this host; where that is not possible, send noindex with every answer.'],
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

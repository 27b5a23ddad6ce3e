import { indexableContent } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { ownOpening } from '../../lookups/siteFacts.ts';
import { metaSet } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const descriptionMissing = pageCheck({
  id: 'description-missing',
  title: 'No meta description',
  category: 'content',
  group: 'description',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'A written pitch lifts clicks.',
  timeToResult: '1-3 weeks',
  risk: 'The result shows a random fragment.',
  steps: ['Write one or two sentences with the benefit.'],
  example: { before: null, after: '<meta name="description" content="Handmade oak tables, delivered in 5 days.">' },
  tags: ['description'],
  source: 'Lighthouse: meta-description',
  lighthouse: 'meta-description',
  appliesTo: indexableContent,
  run: (page, site) => {
    const description = page.facts.metas.find(({ name }) => name === 'description')?.content;
    if (description !== undefined && description.trim() !== '') return [];
    const text = ownOpening(page, site, { min: THRESHOLDS.descriptionMin, max: THRESHOLDS.descriptionMax });
    return [
      {
        evidence: seen(page, 'head > meta[name=description]', description === undefined ? 'missing' : 'empty'),
        message: description === undefined ? 'The page has no meta description.' : 'The meta description is empty.',
        snippet: text === null ? null : metaSet(page, 'name', 'description', text),
      },
    ];
  },
});

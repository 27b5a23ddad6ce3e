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
  gain: 'A good description earns more clicks.',
  timeToResult: '1-3 weeks',
  risk: 'Search engines show an excerpt of their own choosing, which may not be what makes people click.',
  steps: [
    'Write one or two sentences of about 120 to 155 characters: what the page offers and why to open it.',
    'Add them to the page’s head as a meta element named description, or in the SEO settings of your content management system.',
    'Use a different text on every page.',
  ],
  example: { before: null, after: '<meta name="description" content="YOUR PAGE SUMMARY">' },
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

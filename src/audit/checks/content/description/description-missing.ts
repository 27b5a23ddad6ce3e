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
  risk: 'The page has no meta description, so search engines show an excerpt of their own choosing, which may not be what makes people click.',
  steps: [
    'Write one or two sentences of about 120 to 155 characters: what the page offers and why to open it. Use a different text on every page.',
    'If you have an SEO plugin, enter the text as the page’s meta description there.',
    'If you edit the template, add `<meta name="description" content="YOUR PAGE SUMMARY">` to the page’s `<head>`.',
    'View the page source and make sure the tag appears once, with your text in it.',
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

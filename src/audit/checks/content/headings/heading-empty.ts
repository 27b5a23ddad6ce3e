import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const headingEmpty = pageCheck({
  id: 'heading-empty',
  title: 'Empty headings',
  category: 'content',
  group: 'headings',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Tidy outline.',
  timeToResult: '2-4 weeks',
  risk: 'Empty entries confuse outline readers.',
  steps: ['Fill or remove them.'],
  example: null,
  tags: ['headings', 'accessibility'],
  source: 'axe-core rule empty-heading (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'empty-heading',
  appliesTo: (page) => contentPage(page) && page.facts.headings.length > 0,
  run: (page) =>
    page.facts.headings
      .filter(({ text, silent }) => text === '' && silent !== true)
      .map(({ level, selector }) => ({
        evidence: seen(page, selector, `empty h${level}`),
        message: `An h${level} has no text.`,
      })),
});

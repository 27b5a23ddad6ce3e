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
  gain: 'Every heading a screen reader announces says something.',
  timeToResult: '2-4 weeks',
  risk: 'Screen readers announce a heading and then say nothing, which leaves a blank entry in the list of headings.',
  steps: [
    'Find the empty heading elements in the template or the editor.',
    'Remove those that only make space, and use CSS margins instead.',
    'Write a text for the others, or alt text if the heading holds only an image.',
  ],
  example: { before: '<h2></h2>', after: '<h2>YOUR SECTION</h2>' },
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

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
  risk: 'The page has headings without text, so screen readers announce a heading and then say nothing.',
  steps: [
    'In the editor or the template, find each heading tag without text, such as `<h2></h2>`.',
    'If it only makes space, remove it and use a CSS margin instead.',
    'If it holds only an image, describe the image in the `alt` attribute.',
    'If it belongs to a section, write its text.',
    'Search the Elements tab in your browser’s developer tools for `h1, h2, h3, h4, h5, h6` and make sure each heading has text, or an image with alt text.',
  ],
  example: { before: '<h2></h2>', after: '<h2>YOUR SECTION SUBJECT</h2>' },
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

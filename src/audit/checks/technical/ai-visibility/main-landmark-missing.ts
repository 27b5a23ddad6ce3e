import { contentPage, isComplete } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const mainLandmarkMissing = pageCheck({
  id: 'main-landmark-missing',
  title: 'Main element is missing or repeated',
  category: 'technical',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Screen readers and AI tools go straight to the content of the page.',
  timeToResult: '2-4 weeks',
  risk: 'The page has no main element around its content, or more than one. Screen readers can’t jump straight to the content, and tools that extract text have to guess where it starts.',
  steps: [
    'In the page template, wrap the content that is unique to the page in one `<main>` element. Leave the header, navigation, sidebars, and footer outside it.',
    'If the template has several `<main>` elements, keep the one around the content, and turn the others into `<div>` or `<section>` elements.',
    'View the page source, search for `<main`, and make sure it appears there once.',
  ],
  example: {
    before: '<div id="content">\n  YOUR PAGE CONTENT\n</div>',
    after: '<main id="content">\n  YOUR PAGE CONTENT\n</main>',
  },
  tags: ['ai', 'accessibility'],
  source: 'axe-core rule landmark-one-main (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'landmark-one-main',
  appliesTo: contentPage,
  gathered: isComplete,
  run: (page) => {
    const { contentBlock: block, landmarks } = page.facts;
    const { main } = landmarks;
    if (main === 1) return [];
    return [
      {
        evidence: seen(page, 'body', `${main} main elements`),
        message:
          main === 0
            ? 'The page has no main element that holds its content.'
            : `The page has ${main} main elements instead of one.`,
        hint: main > 1,
        snippet: block === undefined ? null : inPlaceOf(block.selector, `<${block.tag} role="main">`),
      },
    ];
  },
});

import type { Snippet } from '../../../../model/findings.ts';
import type { HeadingFact } from '../../../facts/pageFacts.ts';
import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';

export const headingOrder = pageCheck({
  id: 'heading-order',
  title: 'Heading levels are skipped',
  category: 'content',
  group: 'headings',
  impact: 'low',
  difficulty: 'easy',
  minutes: 20,
  gain: 'The headings form an outline that screen readers and search engines can follow.',
  timeToResult: '2-4 weeks',
  risk: 'The page skips heading levels, so people who navigate by headings can’t tell which part belongs to which section.',
  steps: [
    'In the editor or the template, find the headings that this report lists.',
    'Change each one to one level below the heading before it: after an `<h2>`, use an `<h3>` instead of an `<h4>`.',
    'Set its size in CSS so that the page keeps its look.',
    'If the levels go back up, such as from `<h4>` to `<h2>`, leave those headings as they are.',
    'Go through the headings in the page source from top to bottom and make sure none is more than one level deeper than the one before it.',
  ],
  example: {
    before: '<h2>YOUR SECTION SUBJECT</h2>\n<h4>YOUR SECTION SUBJECT</h4>',
    after: '<h2>YOUR SECTION SUBJECT</h2>\n<h3>YOUR SECTION SUBJECT</h3>',
  },
  tags: ['headings', 'accessibility'],
  source: 'axe-core rule heading-order (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'heading-order',
  appliesTo: (page) => contentPage(page) && page.facts.headings.length > 1,
  run: (page) => {
    const shown = page.facts.headings.filter((heading) => heading.silent !== true);
    return shown.flatMap((heading, index) => {
      const before = shown[index - 1];
      if (before === undefined || heading.level <= before.level + 1) return [];
      return [
        {
          evidence: seen(page, heading.selector, heading.text),
          message: `After the h${before.level} "${before.text}" comes the h${heading.level} "${heading.text}".`,
          snippet: raised(shown, index, before.level + 1),
        },
      ];
    });
  },
});

/** Null if others of its section stand on the same level, or deeper: they would have to change, too. */
function raised(headings: readonly HeadingFact[], index: number, level: number): Snippet | null {
  const { text, selector, byRole, level: before } = headings[index] as HeadingFact;
  const next = headings[index + 1];
  if (byRole === true || text === '' || (next !== undefined && (next.level > level || next.level === before)))
    return null;
  return inPlaceOf(selector, `<h${level}>`);
}

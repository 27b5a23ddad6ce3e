import { isComplete, isInformational } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noListsTables = pageCheck({
  id: 'no-lists-tables',
  title: 'Long text without lists or tables',
  category: 'content',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Readers can follow steps and compare options at a glance, and the facts are easier to quote.',
  timeToResult: '4-8 weeks',
  risk: 'If the text holds steps, options or comparisons, they’re hard to pick out of the paragraphs. Only the length of the text was checked, so a plain narrative may be fine as it is.',
  steps: [
    'Look for passages that run through steps, options, features or prices.',
    'Turn steps into a numbered list, loose items into a bulleted list and comparisons into a table with header cells.',
  ],
  example: {
    before: '<p>YOUR FIRST STEP, then YOUR SECOND STEP, then YOUR THIRD STEP.</p>',
    after: '<ol>\n  <li>YOUR FIRST STEP</li>\n  <li>YOUR SECOND STEP</li>\n  <li>YOUR THIRD STEP</li>\n</ol>',
  },
  tags: ['ai', 'structure'],
  source: 'GEO practice (heuristic); Aggarwal et al. KDD 2024',
  hint: true,
  appliesTo: (page, site) => isInformational(page, site, THRESHOLDS.listWords),
  gathered: isComplete,
  run: (page) => {
    const { counts, wordCount } = page.facts;
    if (counts.lists + counts.definitionLists + counts.tables > 0) return [];
    return [
      {
        evidence: seen(page, 'main', 'no list, no table'),
        message: `The ${count(wordCount)} words of this page contain no list or table.`,
      },
    ];
  },
});

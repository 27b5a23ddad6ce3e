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
  risk: 'This long text has no list or table, so any steps, options, or comparisons in it are hard to pick out of the paragraphs. We flagged it because of its length alone, so a plain narrative may be fine as it is.',
  steps: [
    'In the editor, look for passages that run through steps, options, features, or prices. If there are none, leave the page as it is.',
    'If a passage describes steps, turn it into a numbered list: `<ol>` with one `<li>` for each step.',
    'If a passage names loose items, turn it into a bulleted list: `<ul>` with one `<li>` for each item.',
    'If a passage compares things, turn it into a `<table>` with header cells (`<th>`).',
    'Skim the page and make sure you can find every step, option, and comparison without reading a whole paragraph.',
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

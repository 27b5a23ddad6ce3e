import { isComplete, isInformational } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noListsTables = pageCheck({
  id: 'no-lists-tables',
  title: 'Comparable facts are not in lists or tables',
  category: 'content',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Structured facts are easier to take over.',
  timeToResult: '4-8 weeks',
  risk: 'Facts are buried in text.',
  steps: ['Turn steps and comparisons into lists or tables.'],
  example: null,
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

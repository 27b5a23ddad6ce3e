import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const domTooBig = pageCheck({
  id: 'dom-too-big',
  title: 'Page has too many elements',
  category: 'technical',
  group: 'performance',
  impact: 'low',
  difficulty: 'hard',
  minutes: 180,
  gain: 'The page renders and reacts faster, especially on older phones.',
  timeToResult: '2-6 weeks',
  risk: 'A large page structure takes up memory and slows down rendering, scrolling and clicks, most of all on phones.',
  steps: [
    'Find the parts with the most elements in the browser’s developer tools, such as menus, repeated widgets and long lists.',
    'Remove nested wrapper elements that do nothing.',
    'Split long lists into pages, and link those pages with plain links.',
    'Aim for at most 1,500 elements and 32 levels.',
  ],
  example: null,
  tags: ['speed', 'html'],
  source: 'web.dev: DOM size and interactivity (https://web.dev/articles/dom-size-and-interactivity)',
  appliesTo: htmlPage,
  run: (page) => {
    const { elements, maxDepth } = page.facts.counts;
    const deep = maxDepth > THRESHOLDS.domDepth;
    if (elements <= THRESHOLDS.domElementsWarning && !deep) return [];
    const over = elements > THRESHOLDS.domElements || deep;
    return [
      {
        evidence: seen(page, 'html', `${count(elements)} elements, ${count(maxDepth)} levels`),
        message: `The page has ${plural(elements, 'element')} on ${plural(maxDepth, 'level')}; ${count(THRESHOLDS.domElements)} on ${THRESHOLDS.domDepth} is the limit.`,
        hint: !over,
      },
    ];
  },
});

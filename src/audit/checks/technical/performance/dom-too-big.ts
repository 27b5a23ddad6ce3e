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
  risk: 'This page has too many HTML elements, or nests them too deeply. That takes up memory and slows down rendering, scrolling, and clicks, most of all on phones.',
  steps: [
    'Open the Elements tab in your browser’s developer tools and find the parts with the most elements, such as menus, repeated widgets, and long lists.',
    'In the template or page builder, remove nested wrapper elements that do nothing, so that elements are at most 32 levels deep.',
    'Split long lists into pages, and link those pages with plain links.',
    "Type `document.querySelectorAll('*').length` into the Console of the developer tools and make sure the number is at most 1,500. If this report says that elements are nested too deeply, run the audit again and make sure this issue is gone.",
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
    const warning = over ? '' : `more than ${count(THRESHOLDS.domElementsWarning)} begin to slow it down, and `;
    return [
      {
        evidence: seen(page, 'html', `${count(elements)} elements, ${count(maxDepth)} levels`),
        message: `The page has ${plural(elements, 'element')} on ${plural(maxDepth, 'level')}; ${warning}${count(THRESHOLDS.domElements)} on ${THRESHOLDS.domDepth} is the limit.`,
        hint: !over,
      },
    ];
  },
});

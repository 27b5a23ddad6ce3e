import { htmlPage } from '../applies.ts';
import type { PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { cut, html } from '../siteCode.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const titleMissing: PageCheck = {
  id: 'title-missing',
  scope: 'page',
  title: 'Page has no title',
  category: 'content',
  group: 'title',
  impact: 'high',
  difficulty: 'easy',
  minutes: 10,
  businessValue: 'The title is the first thing searchers read.',
  timeToResult: '1-3 weeks',
  why: 'Search engines have to make one up.',
  fix: 'Write a unique title for the page.',
  codeExample: '<title>Handmade Oak Tables | Example Furniture</title>',
  tags: ['title'],
  source: 'axe-core rule document-title (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'document-title',
  hint: false,
  appliesTo: htmlPage,
  run: (page) => {
    const title = page.facts.titles.find(({ inHead }) => inHead);
    if (title !== undefined && title.text !== '') return [];
    const heading = page.facts.headings.find(({ level, text }) => level === 1 && text !== '')?.text;
    return [
      {
        evidence: seen(page, 'head > title', title === undefined ? 'missing' : 'empty'),
        message: title === undefined ? 'The page has no title.' : 'The title is empty.',
        ...(heading === undefined ? {} : { code: `<title>${html(cut(heading, THRESHOLDS.titleMax))}</title>` }),
      },
    ];
  },
};

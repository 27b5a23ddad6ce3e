import { htmlPage } from '../../applies.ts';
import type { PageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';

export const htmlLangMissing: PageCheck = {
  id: 'html-lang-missing',
  scope: 'page',
  title: 'Page does not declare its language',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  businessValue: 'Better translation, read-aloud and language matching.',
  timeToResult: '1-3 weeks',
  why: 'Browsers, screen readers and assistants must guess the language.',
  fix: 'Set lang on the html element.',
  codeExample: '<html lang="en">',
  tags: ['lang', 'accessibility'],
  source: 'axe-core rule html-has-lang (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'html-has-lang',
  hint: false,
  appliesTo: htmlPage,
  run: (page) => {
    if ((page.facts.lang ?? '').trim() !== '') return [];
    return [
      {
        evidence: seen(page, 'html', page.facts.lang === null ? 'no lang attribute' : `lang="${page.facts.lang}"`),
        message: 'The html element does not say which language the page is in.',
      },
    ];
  },
};

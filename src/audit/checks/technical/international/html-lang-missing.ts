import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { languageSet } from '../../lookups/language/languageCode.ts';

export const htmlLangMissing = pageCheck({
  id: 'html-lang-missing',
  title: 'Page does not declare its language',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Better translation, read-aloud and language matching.',
  timeToResult: '1-3 weeks',
  risk: 'Browsers, screen readers and assistants must guess the language.',
  steps: ['Set lang on the html element.'],
  example: { before: null, after: '<html lang="en">' },
  tags: ['lang', 'accessibility'],
  source: 'axe-core rule html-has-lang (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'html-has-lang',
  appliesTo: htmlPage,
  run: (page) => {
    if ((page.facts.lang ?? '').trim() !== '') return [];
    return [
      {
        evidence: seen(page, 'html', page.facts.lang === null ? 'no lang attribute' : `lang="${page.facts.lang}"`),
        message: 'The html element does not say which language the page is in.',
        snippet: languageSet(page),
      },
    ];
  },
});

import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isLanguage } from '../../lookups/language/hreflangs.ts';
import { languageSet } from '../../lookups/language/languageCode.ts';

export const htmlLangInvalid = pageCheck({
  id: 'html-lang-invalid',
  title: 'Declared language is not valid',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Correct language matching.',
  timeToResult: '1-3 weeks',
  risk: 'An unknown tag counts as no language.',
  steps: ['Use a BCP 47 tag such as en or pt-BR.'],
  example: { before: null, after: '<html lang="pt-BR">' },
  tags: ['lang', 'accessibility'],
  source: 'axe-core rule html-lang-valid (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'html-lang-valid',
  appliesTo: (page) => htmlPage(page) && (page.facts.lang ?? '').trim() !== '',
  run: (page) => {
    const lang = (page.facts.lang ?? '').trim();
    const [primary = ''] = lang.split('-', 1);
    if (isLanguage(primary)) return [];
    return [
      {
        evidence: seen(page, 'html', `lang="${lang}"`),
        message: `lang="${lang}" names no language.`,
        snippet: languageSet(page),
      },
    ];
  },
});

import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { isLanguage } from '../../lookups/language/hreflangs.ts';
import { languageSet } from '../../lookups/language/languageCode.ts';

export const htmlLangInvalid = pageCheck({
  id: 'html-lang-invalid',
  title: 'Declared language is not a valid code',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Screen readers choose the right voice, and browsers offer the right translation.',
  timeToResult: '1-3 weeks',
  risk: 'The page’s lang attribute isn’t a language code. Browsers and screen readers can’t use it, so they have to guess the language.',
  steps: [
    'In the template or your CMS’s language setting, set the `lang` attribute of the `<html>` element to a language code, such as `en`, `es`, or `pt-BR`.',
    'Use the code instead of the language’s name (`en`, not `english`), and write a hyphen instead of an underscore (`en-US`, not `en_US`). A country code alone isn’t enough.',
    'View the page source and make sure the `<html>` tag near the top has the new code.',
  ],
  example: { before: '<html lang="english">', after: '<html lang="en">' },
  tags: ['lang', 'accessibility'],
  source: 'axe-core rule html-lang-valid (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'html-lang-valid',
  appliesTo: (page) => htmlPage(page) && (page.facts.lang ?? '').trim() !== '',
  run: (page, site) => {
    const lang = (page.facts.lang ?? '').trim();
    const [primary = ''] = lang.split('-', 1);
    if (isLanguage(primary)) return [];
    return [
      {
        evidence: seen(page, 'html', `lang="${lang}"`),
        message: `lang="${lang}" names no language.`,
        snippet: languageSet(page, site),
      },
    ];
  },
});

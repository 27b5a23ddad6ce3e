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
  gain: 'Screen readers pronounce the text correctly, and browsers know when to offer a translation.',
  timeToResult: '1-3 weeks',
  risk: 'The page doesn’t say which language it’s in, so browsers, screen readers, and translation tools have to guess.',
  steps: [
    'In the template, add a `lang` attribute with the page’s language to the `<html>` element, such as `<html lang="en">` for English.',
    'On a site with several languages, set it for each version.',
    'View the page source and make sure the `<html>` tag near the top has the attribute.',
  ],
  example: { before: '<html>', after: '<html lang="YOUR LANGUAGE CODE">' },
  tags: ['lang', 'accessibility'],
  source: 'axe-core rule html-has-lang (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'html-has-lang',
  appliesTo: htmlPage,
  run: (page, site) => {
    if ((page.facts.lang ?? '').trim() !== '') return [];
    return [
      {
        evidence: seen(page, 'html', page.facts.lang === null ? 'no lang attribute' : `lang="${page.facts.lang}"`),
        message: 'The html element does not say which language the page is in.',
        snippet: languageSet(page, site),
      },
    ];
  },
});

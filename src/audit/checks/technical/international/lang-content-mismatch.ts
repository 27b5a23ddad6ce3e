import { isIdentifiable } from '../../../facts/text/language.ts';
import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { languageName } from '../../lookups/language/languages.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const langContentMismatch = pageCheck({
  id: 'lang-content-mismatch',
  title: 'Declared language differs from the text',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  businessValue: 'The page is shown to readers who understand it.',
  timeToResult: '2-4 weeks',
  why: 'Search engines and assistants file the page under the wrong language.',
  fix: 'Set lang to the language of the text.',
  codeExample: null,
  tags: ['lang'],
  source: 'ACT rule ucwvc8 (https://www.w3.org/WAI/standards-guidelines/act/rules/ucwvc8/)',
  appliesTo: (page) =>
    contentPage(page) && declared(page.facts.lang) !== '' && page.facts.wordCount >= THRESHOLDS.languageWords,
  gathered: ({ facts }) =>
    facts !== null &&
    isIdentifiable(declared(facts.lang)) &&
    facts.language !== null &&
    (facts.language.code === declared(facts.lang) || facts.language.probability >= THRESHOLDS.languageProbability),
  run: (page) => {
    const { lang, language } = page.facts;
    if (language === null || language.code === declared(lang)) return [];
    return [
      {
        evidence: seen(page, 'html[lang]', lang ?? ''),
        message: `The page says that it is in ${languageName(declared(lang))} (lang="${lang}"), but its text is in ${languageName(language.code)}.`,
        code: `<html lang="${language.code}">`,
      },
    ];
  },
});

/** The primary subtag, as the language detector names it. */
function declared(lang: string | null): string {
  const code = (lang ?? '').trim().toLowerCase().split(/[-_]/, 1)[0] as string;
  return ALIASES[code] ?? code;
}

const ALIASES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he' };

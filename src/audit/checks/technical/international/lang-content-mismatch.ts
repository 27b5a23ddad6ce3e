import type { PageFacts } from '../../../facts/pageFacts.ts';
import { isIdentifiable } from '../../../facts/text/language.ts';
import { keepingRecent } from '../../../recent.ts';
import { contentPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { languageName } from '../../lookups/language/languages.ts';
import { foreignScript } from '../../lookups/language/scripts.ts';
import { inPlaceOf } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const langContentMismatch = pageCheck({
  id: 'lang-content-mismatch',
  title: 'Declared language doesn’t match the text',
  category: 'technical',
  group: 'international',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The page is read aloud and translated in the language it’s written in.',
  timeToResult: '2-4 weeks',
  risk: 'The page declares one language, but its text seems to be in another. Screen readers mispronounce it, and browsers may offer the wrong translation. We detected the language of the text automatically, so look at the page before you change anything.',
  steps: [
    'If the page does declare the language that visitors read, leave it as it is.',
    'If the whole site is in the language of the text, set that language in the template or your CMS’s language setting, such as `<html lang="de">` for German.',
    'If only this page or some passages are in another language than the site, don’t change the setting for the whole site: set the language of the page in your translation plugin, or put the `lang` attribute on the element that holds the text.',
    'If the text hasn’t been translated yet, translate it.',
    'View the source of this page and of another page and make sure each declares the language that visitors read there.',
  ],
  example: { before: '<html lang="en">', after: '<html lang="YOUR LANGUAGE CODE">' },
  tags: ['lang'],
  source: 'ACT rule ucwvc8 (https://www.w3.org/WAI/standards-guidelines/act/rules/ucwvc8/)',
  appliesTo: (page) =>
    contentPage(page) &&
    declared(page.facts.lang) !== '' &&
    (page.facts.wordCount >= THRESHOLDS.languageWords || writtenIn(page.facts) !== null),
  gathered: ({ facts }) => facts !== null && (writtenIn(facts) !== null || isKnown(facts)),
  run: (page) => {
    const { lang, language } = page.facts;
    const script = writtenIn(page.facts);
    // A language that is known says more than its letters.
    if (script !== null && !(isKnown(page.facts) && language?.code !== declared(lang)))
      return [
        {
          evidence: seen(page, 'html[lang]', lang ?? ''),
          message: `The page says that it is in ${languageName(declared(lang))} (lang="${lang}"), but its letters are ${script.name}.`,
        },
      ];
    if (language === null || language.code === declared(lang)) return [];
    return [
      {
        evidence: seen(page, 'html[lang]', lang ?? ''),
        message: `The page says that it is in ${languageName(declared(lang))} (lang="${lang}"), but its text is in ${languageName(language.code)}.`,
        snippet: inPlaceOf('html', `<html lang="${language.code}">`),
      },
    ];
  },
});

function isKnown({ lang, language }: PageFacts): boolean {
  return (
    isIdentifiable(declared(lang)) &&
    language !== null &&
    (language.code === declared(lang) || language.probability >= THRESHOLDS.languageProbability)
  );
}

/** A script that the declared language is not written in. */
const writtenIn = keepingRecent(({ lang, text }: PageFacts) => foreignScript(text, declared(lang)));

/** The primary subtag, as the language detector names it. */
function declared(lang: string | null): string {
  const code = (lang ?? '').trim().toLowerCase().split(/[-_]/, 1)[0] as string;
  return ALIASES[code] ?? code;
}

const ALIASES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he' };

import { htmlPage } from '../../applies.ts';
import { type Fault, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { cut } from '../../lookups/siteCode.ts';
import { PLACEHOLDER } from '../../phrases.ts';

export const placeholderText = pageCheck({
  id: 'placeholder-text',
  title: 'Placeholder text is live',
  category: 'content',
  group: 'content-quality',
  impact: 'high',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Avoids an embarrassing first impression.',
  timeToResult: 'immediate',
  risk: 'The page looks unfinished.',
  steps: ['Replace the placeholder text.'],
  example: null,
  tags: ['content'],
  source:
    'Screaming Frog SEO Spider issue library: Content: Lorem ipsum placeholder (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: htmlPage,
  run: (page) => {
    const faults: Fault[] = [];
    const texts = [
      ...page.facts.titles.map(({ text }) => ({ text, place: 'head > title' })),
      ...page.facts.headings.map(({ text, selector }) => ({ text, place: selector })),
    ];
    for (const { text, place } of texts) {
      const found = PLACEHOLDER.exec(text)?.[0] ?? missingValue(text);
      if (found !== undefined)
        faults.push({
          evidence: seen(page, place, text),
          message: `"${found}" was left in the text "${cut(text, 80)}".`,
        });
    }
    const { filler } = page.facts;
    if (faults.length === 0 && filler !== null) {
      faults.push({
        evidence: seen(page, 'main', filler.around),
        message: `Template text was left in: "${filler.found}".`,
      });
    }
    return faults;
  },
});

const MISSING = [
  /^(undefined|NaN)(?=[\s|–—:,]|$)/,
  /[|–—:,]\s{0,5}(undefined|NaN)(?=[\s|–—:,]|$)/,
  /\s(undefined|NaN)\s{0,5}(?=[|–—:,]|$)/,
];

/**
 * What a script shows for a value that is not there, where a value would stand: a sentence may well be about the word.
 */
function missingValue(text: string): string | undefined {
  if (text.includes('[object Object]')) return '[object Object]';
  return MISSING.map((pattern) => pattern.exec(text)?.[1]).find((found) => found !== undefined);
}

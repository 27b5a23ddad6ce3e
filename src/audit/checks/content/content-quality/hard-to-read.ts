import type { CrawledPage } from '../../../crawl/site.ts';
import { isComplete, isTextPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const hardToRead = pageCheck({
  id: 'hard-to-read',
  title: 'Text is hard to read',
  category: 'content',
  group: 'content-quality',
  impact: 'low',
  difficulty: 'medium',
  minutes: 90,
  gain: 'More visitors read to the end and understand what you offer.',
  timeToResult: '4-8 weeks',
  risk: 'The text has long sentences, long words, or both, which make readers give up. This is an estimate by the Flesch formula, which doesn’t know your audience: technical or legal texts can rate low for good reason.',
  steps: [
    'If the text is for specialists who know the terms, leave it as it is. Otherwise read it aloud and split every sentence you stumble over. Aim for 15 to 20 words.',
    'Replace long words with common ones, and explain the technical terms you need.',
    'Speak to the reader directly and use active verbs.',
    'Paste the text into an online readability checker and make sure the Flesch reading ease is 50 or more.',
  ],
  example: null,
  tags: ['content', 'readability'],
  source:
    'Screaming Frog SEO Spider issue library: Content: Readability difficult (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page, site) => isTextPage(page, site) && readingEase(page) !== null,
  gathered: isComplete,
  run: (page) => {
    const ease = readingEase(page) ?? 100;
    if (ease >= THRESHOLDS.readingEaseWarning) return [];
    const { words = 0, sentences = 1 } = page.facts.reading ?? {};
    return [
      {
        evidence: seen(page, 'main', `reading ease ${ease}`),
        message: `The text has a Flesch reading ease of ${ease} (60 and more reads easily), with ${Math.round(words / sentences)} words to a sentence.`,
        hint: ease >= THRESHOLDS.readingEase,
      },
    ];
  },
});

/** Flesch reading ease, which is valid for English only; null for other languages and short texts. */
function readingEase({ facts }: CrawledPage): number | null {
  if (facts === null || facts.reading === null || facts.reading.words < THRESHOLDS.readingWords) return null;
  const { words, sentences, syllables } = facts.reading;
  return Math.round(206.835 - 1.015 * (words / sentences) - 84.6 * (syllables / words));
}

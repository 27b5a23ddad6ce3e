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
  gain: 'Clear text converts and is quoted more.',
  timeToResult: '4-8 weeks',
  risk: 'Long sentences lose readers and machines.',
  steps: ['Shorten sentences, use plain words.'],
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

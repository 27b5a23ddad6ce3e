import { htmlPage, isTextPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const passageTooLong = pageCheck({
  id: 'passage-too-long',
  title: 'Paragraphs are too long to quote',
  category: 'content',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'medium',
  minutes: 45,
  gain: 'Readable on phones and easy to quote.',
  timeToResult: '4-8 weeks',
  risk: 'Long blocks hide the point.',
  steps: ['One idea per paragraph, 40-80 words.'],
  example: null,
  tags: ['ai', 'readability'],
  source: 'GEO practice (heuristic, no vendor guarantee)',
  hint: true,
  appliesTo: (page, site) =>
    isTextPage(page, site) && htmlPage(page) && page.facts.passageWords.length >= THRESHOLDS.passageMin,
  run: (page) => {
    const lengths = page.facts.passageWords.toSorted((a, b) => a - b);
    const long = lengths.filter((length) => length > THRESHOLDS.passageWords).length;
    const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
    const isMany = long > lengths.length * THRESHOLDS.passageShare;
    if (!isMany && median <= THRESHOLDS.passageMedianWords) return [];
    return [
      {
        evidence: seen(page, 'main p', isMany ? `${long} of ${lengths.length} paragraphs` : plural(median, 'word')),
        message: isMany
          ? `${long} of ${plural(lengths.length, 'paragraph')} have more than ${THRESHOLDS.passageWords} words.`
          : `Half of the ${plural(lengths.length, 'paragraph')} have ${plural(median, 'word')} or more.`,
      },
    ];
  },
});

import { htmlPage, isTextPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const passageTooLong = pageCheck({
  id: 'passage-too-long',
  title: 'Paragraphs are too long',
  category: 'content',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'medium',
  minutes: 45,
  gain: 'The text reads easily on a phone, and each paragraph makes one point that can be quoted.',
  timeToResult: '4-8 weeks',
  risk: 'Many of the page’s paragraphs are long, so the text is tiring to read, especially on a phone, and a single point is hard to find or quote.',
  steps: [
    'In the editor, find the longest paragraphs, starting with those of more than 120 words.',
    'Split them so that each new paragraph makes one point in about 40 to 80 words.',
    'Start each paragraph with its main statement.',
    'Open the page on a phone and make sure no paragraph fills more than one screen.',
  ],
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

import { htmlPage, isComplete, isMostlyLinks, isTextPage, proseWords } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noSubheadings = pageCheck({
  id: 'no-subheadings',
  title: 'Long text without subheadings',
  category: 'content',
  group: 'headings',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Readers stay and passages become quotable.',
  timeToResult: '2-6 weeks',
  risk: 'Long blocks are hard to scan and to cite.',
  steps: ['Add a heading every 150-300 words.'],
  example: null,
  tags: ['headings', 'readability', 'ai'],
  source: 'Screaming Frog SEO Spider issue library: H2: Missing (https://www.screamingfrog.co.uk/seo-spider/issues/)',
  appliesTo: (page, site) =>
    isTextPage(page, site) &&
    htmlPage(page) &&
    !isMostlyLinks(page.facts) &&
    proseWords(page.facts) >= THRESHOLDS.subheadingWords,
  gathered: isComplete,
  run: (page) => {
    const subheadings = page.facts.headings.filter(
      ({ level, text, hidden }) => (level === 2 || level === 3) && text !== '' && !hidden,
    );
    if (subheadings.length >= 2) return [];
    return [
      {
        evidence: seen(page, 'main', `${page.facts.wordCount} words, ${plural(subheadings.length, 'subheading')}`),
        message: `${count(page.facts.wordCount)} words of text have ${subheadings.length === 0 ? 'no subheading' : 'one subheading'}.`,
      },
    ];
  },
});

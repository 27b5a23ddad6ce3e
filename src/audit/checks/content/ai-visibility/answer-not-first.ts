import { excerpt } from '../../../excerpt.ts';
import type { HeadingFact } from '../../../facts/pageFacts.ts';
import { contentPage, isComplete, isIndexable } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { isQuestion } from '../../lookups/questions.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const answerNotFirst = pageCheck({
  id: 'answer-not-first',
  title: 'Question headings are not answered directly',
  category: 'content',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Short answers are easy to quote.',
  timeToResult: '4-8 weeks',
  risk: 'The answer is hidden in long text.',
  steps: ['Answer in 40-60 words right below the heading, then explain.'],
  example: {
    before: null,
    after: '<h2>How long does delivery take?</h2><p>Delivery takes 3-5 working days in the EU.</p>',
  },
  tags: ['ai', 'headings'],
  source:
    'GEO practice (heuristic, no vendor guarantee); Google advises against special AI rewriting (https://developers.google.com/search/docs/fundamentals/ai-optimization-guide)',
  hint: true,
  appliesTo: (page, site) =>
    contentPage(page) && isIndexable(page, site) && askingHeadings(page).length >= THRESHOLDS.questionsMin,
  gathered: isComplete,
  run: (page) => {
    const asking = askingHeadings(page);
    const unanswered = asking.filter(
      ({ answerWords }) =>
        answerWords === undefined || answerWords < THRESHOLDS.answerWordsMin || answerWords > THRESHOLDS.answerWordsMax,
    );
    const [first] = unanswered;
    if (first === undefined || unanswered.length * 2 <= asking.length) return [];
    const words =
      first.answerWords === undefined ? 'no paragraph' : `a paragraph of ${plural(first.answerWords, 'word')}`;
    return [
      {
        evidence: seen(page, first.selector, first.text),
        message: `${unanswered.length} of ${plural(asking.length, 'question')} in headings are not answered in ${THRESHOLDS.answerWordsMin} to ${THRESHOLDS.answerWordsMax} words right below: "${excerpt(first.text, 80)}" is followed by ${words}.`,
      },
    ];
  },
});

function askingHeadings({ facts }: HtmlPage): HeadingFact[] {
  return facts.headings.filter(
    ({ level, hidden, text }) => (level === 2 || level === 3) && !hidden && isQuestion(text, facts),
  );
}

import { excerpt } from '../../../excerpt.ts';
import type { HeadingFact } from '../../../facts/pageFacts.ts';
import { contentPage, isComplete, isIndexable } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { isQuestion } from '../../lookups/questions.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const answerNotFirst = pageCheck({
  id: 'answer-not-first',
  title: 'Question headings without a direct answer',
  category: 'content',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Readers get the answer at a glance, and AI assistants get a passage they can quote.',
  timeToResult: '4-8 weeks',
  risk: 'Most question headings on the page have no paragraph of 15 to 80 words right below them, so readers and AI assistants have to dig for the answer and may take a shorter one from another site. We flagged it because of the length of those paragraphs, so read them before you rewrite them.',
  steps: [
    'In the page editor, find the questions among the `<h2>` and `<h3>` headings. If a question is answered right below it, leave it as it is.',
    'If not, write one paragraph of 40 to 60 words below it that answers the question on its own.',
    'Move background, exceptions, and examples into the paragraphs after it.',
    'Read only each question and the paragraph below it, and make sure the answer is complete.',
  ],
  // No code is written: the answer has to be written.
  example: {
    before: '<h2>YOUR QUESTION?</h2>\n<p>YOUR LONG INTRODUCTION</p>\n<p>YOUR ANSWER</p>',
    after: '<h2>YOUR QUESTION?</h2>\n<p>YOUR ANSWER IN ONE SHORT PARAGRAPH</p>\n<p>YOUR DETAILS</p>',
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

import { isComplete, isInformational } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { isQuestion } from '../../lookups/questions.ts';
import { namesType } from '../../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noQuestionContent = pageCheck({
  id: 'no-question-content',
  title: 'No questions among the headings',
  category: 'content',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'medium',
  minutes: 60,
  gain: 'The page is easier to find for questions people type into a search engine or ask an AI assistant.',
  timeToResult: '4-8 weeks',
  risk: 'None of the page’s headings is a question, so the page may not come up when people ask search engines or AI assistants a whole question. We looked only at headings, FAQ markup, and fold-out sections, so the text itself may still answer some questions.',
  steps: [
    'If questions would be out of place on the page, as in a news story, leave it as it is.',
    'Otherwise collect three to five questions customers really ask, from support emails, sales calls, or Google Search Console’s performance report.',
    'Use each one as an `<h2>` or `<h3>` heading, with a short answer right below it.',
    'Read the page’s headings, and make sure the questions your customers ask most are among them.',
  ],
  example: { before: null, after: '<h2>YOUR CUSTOMER QUESTION?</h2>\n<p>YOUR SHORT ANSWER</p>' },
  tags: ['ai', 'faq'],
  source: 'GEO practice (heuristic); Semrush AI Search Health (https://www.semrush.com/kb/540-site-audit-overview)',
  hint: true,
  appliesTo: (page, site) => isInformational(page, site, THRESHOLDS.questionWords),
  gathered: isComplete,
  run: (page) => {
    const { counts, headings, wordCount } = page.facts;
    const asks = headings.some(({ text, hidden }) => !hidden && isQuestion(text, page.facts));
    if (asks || counts.definitionLists > 0 || counts.details > 0 || namesType(page.facts, 'FAQPage')) return [];
    return [
      {
        evidence: seen(page, 'headings', 'no question'),
        message: `The page has ${count(wordCount)} words, and none of its headings asks a question.`,
      },
    ];
  },
});

import { isComplete, isInformational } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, seen } from '../../evidence.ts';
import { isQuestion } from '../../lookups/questions.ts';
import { namesType } from '../../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noQuestionContent = pageCheck({
  id: 'no-question-content',
  title: 'No questions answered on the page',
  category: 'content',
  group: 'ai-visibility',
  impact: 'low',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Covers the questions people ask assistants.',
  timeToResult: '4-8 weeks',
  risk: 'Content does not mirror how people ask.',
  steps: ['Add a short section with 3-5 real customer questions.'],
  example: null,
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
        message: `The ${count(wordCount)} words of this page answer no question that a heading asks.`,
      },
    ];
  },
});

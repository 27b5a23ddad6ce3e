import { excerpt } from '../../excerpt.ts';
import { contentPage, isComplete } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { faqProblem, shownQuestions } from '../lookups/faqs.ts';
import { normalText } from '../phrases.ts';
import { isNode, isTypeReadable, listOf, namesType, nodesOfType } from '../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../thresholds.ts';

export const faqSchema = pageCheck({
  id: 'faq-schema',
  title: 'FAQ markup does not match a visible FAQ',
  category: 'schema',
  group: 'faq',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  businessValue: 'Clean question-answer pairs for machines that read them.',
  timeToResult: '4-8 weeks',
  why: 'Markup without visible content breaks the rules.',
  fix: 'Mark up only what readers see.',
  codeExample:
    '{"@context":"https://schema.org","@type":"FAQPage","mainEntity":[{"@type":"Question","name":"...?","acceptedAnswer":{"@type":"Answer","text":"..."}}]}',
  tags: ['schema', 'faq', 'ai'],
  source:
    'Google Search Central: FAQ structured data, deprecation notice (https://developers.google.com/search/docs/appearance/structured-data/faqpage)',
  appliesTo: (page) =>
    contentPage(page) && (namesType(page.facts, 'FAQPage') || shownQuestions(page).length >= THRESHOLDS.faqQuestions),
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'FAQPage'),
  run: (page) => {
    const marked = nodesOfType(page.facts, 'FAQPage');
    const [first, ...others] = shownQuestions(page);
    if (marked.length === 0 && first !== undefined)
      return [
        {
          evidence: seen(page, first.selector, first.text),
          message: `The page answers ${others.length + 1} questions without FAQ markup. No search result shows it, but machines that read it find each answer.`,
          hint: true,
        },
      ];
    const text = normalText(page.facts.text);
    return marked.flatMap(({ node, selector }) => {
      const questions = listOf(node.mainEntity).filter(isNode);
      const problem = faqProblem(questions, text);
      if (problem === null) return [];
      const message = `The FAQ markup ${problem}. (Search results no longer show it; assistants may still read it.)`;
      return [{ evidence: seen(page, selector, excerpt(JSON.stringify(questions[0] ?? node), 160)), message }];
    });
  },
});

import { excerpt } from '../../excerpt.ts';
import { contentPage, isComplete } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { faqProblem, shownQuestions, wordPairs } from '../lookups/faqs.ts';
import { gatheringNodes, isNode, isTypeReadable, listOf, namesType } from '../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../thresholds.ts';

/** Longer texts are not kept as a whole. */
const WHOLE_TEXT = 19_000;

export const faqSchema = pageCheck({
  id: 'faq-schema',
  title: 'FAQ markup does not match a visible FAQ',
  category: 'schema',
  group: 'faq',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Clean question-answer pairs for machines that read them.',
  timeToResult: '4-8 weeks',
  risk: 'Markup without visible content breaks the rules.',
  steps: ['Mark up only what readers see.'],
  example: {
    before: null,
    after:
      '{"@context":"https://schema.org","@type":"FAQPage","mainEntity":[{"@type":"Question","name":"...?","acceptedAnswer":{"@type":"Answer","text":"..."}}]}',
  },
  tags: ['schema', 'faq', 'ai'],
  source:
    'Google Search Central: FAQ structured data, deprecation notice (https://developers.google.com/search/docs/appearance/structured-data/faqpage)',
  appliesTo: (page) =>
    contentPage(page) && (namesType(page.facts, 'FAQPage') || shownQuestions(page).length >= THRESHOLDS.faqQuestions),
  gathered: (page) => isComplete(page) && isTypeReadable(page.facts, 'FAQPage'),
  run: function* (page) {
    const marked = yield* gatheringNodes(page.facts, 'FAQPage');
    const [first, ...others] = shownQuestions(page);
    if (marked.length === 0 && first !== undefined)
      return [
        {
          evidence: seen(page, first.selector, first.text),
          message: `The page answers ${others.length + 1} questions without FAQ markup. No search result shows it, but machines that read it find each answer.`,
          hint: true,
        },
      ];
    const { text } = page.facts;
    const shown = text.length < WHOLE_TEXT ? wordPairs(text) : null;
    const faults: Fault[] = [];
    for (const { node, selector } of marked) {
      yield;
      const questions = listOf(node.mainEntity).filter(isNode);
      const problem = yield* faqProblem(questions, shown);
      if (problem !== null)
        faults.push({
          evidence: seen(page, selector, excerpt(JSON.stringify(questions[0] ?? node), 160)),
          message: `The FAQ markup ${problem}. (Search results no longer show it; assistants may still read it.)`,
        });
    }
    return faults;
  },
});

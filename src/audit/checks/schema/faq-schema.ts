import { excerpt } from '../../excerpt.ts';
import { contentPage, isComplete } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { faqProblem, shownQuestions, wordPairs } from '../lookups/faqs.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { gatheringNodes, isNode, isTypeReadable, listOf, namesType } from '../schemaOrg/schemaNodes.ts';
import { THRESHOLDS } from '../thresholds.ts';

/** Longer texts are not kept as a whole. */
const WHOLE_TEXT = 19_000;

export const faqSchema = pageCheck({
  id: 'faq-schema',
  title: 'FAQ markup does not match the visible FAQ',
  category: 'schema',
  group: 'faq',
  impact: 'low',
  difficulty: 'easy',
  minutes: 30,
  gain: 'AI assistants and other tools can read each question together with its answer.',
  timeToResult: '4-8 weeks',
  risk: 'The FAQ markup and the questions that visitors see don’t match. If the markup has questions that the page doesn’t show, it breaks Google’s guidelines. If visible questions have no markup, machines find them harder to pick out. Google itself no longer shows FAQ results.',
  steps: [
    'Compare the FAQPage markup (JSON-LD), which your FAQ plugin or the template writes, with the questions and answers that visitors see on the page.',
    'If the markup has questions that the page doesn’t show, remove them from the markup.',
    'If a `Question` has no `name` or no `acceptedAnswer` with `text`, add it, worded as on the page.',
    'If the page has a visible FAQ without markup, you can add FAQPage JSON-LD or leave the page as it is.',
    'Test the page in the Schema Markup Validator (validator.schema.org) and make sure it reports no errors and lists only questions that visitors can see.',
  ],
  // No code is written: the answers are texts, which the crawl keeps only in part.
  example: schemaExample({
    '@type': 'FAQPage',
    mainEntity: [
      {
        '@type': 'Question',
        name: 'YOUR QUESTION',
        acceptedAnswer: { '@type': 'Answer', text: 'YOUR ANSWER' },
      },
    ],
  }),
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

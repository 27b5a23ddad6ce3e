import { contentPage } from '../applies.ts';
import type { PageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { normalText } from '../phrases.ts';
import { isNode, listOf, namesType, nodesOfType, type SchemaNode, textOf } from '../schemaNodes.ts';

export const faqSchema: PageCheck = {
  id: 'faq-schema',
  scope: 'page',
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
  source: 'Google Search Central: FAQ structured data, deprecation notice (https://developers.google.com/search/docs/appearance/structured-data/faqpage)',
  lighthouse: null,
  hint: false,
  appliesTo: (page) => contentPage(page) && namesType(page.facts, 'FAQPage') && nodesOfType(page.facts, 'FAQPage').length > 0,
  run: (page) =>
    nodesOfType(page.facts, 'FAQPage').flatMap(({ node, selector }) => {
      const questions = listOf(node.mainEntity).filter(isNode);
      const problem = problemOf(questions, normalText(page.facts.text));
      return problem === null
        ? []
        : [
            {
              evidence: seen(page, selector, JSON.stringify(questions[0] ?? node).slice(0, 160)),
              message: `The FAQ markup ${problem}. (Search results no longer show it; assistants may still read it.)`,
            },
          ];
    }),
};

function problemOf(questions: readonly SchemaNode[], text: string): string | null {
  if (questions.length === 0) return 'holds no question';
  for (const question of questions) {
    const name = textOf(question, 'name');
    const answer = listOf(question.acceptedAnswer).filter(isNode)[0];
    if (name === null) return 'has a question without a name';
    if (answer === undefined || textOf(answer, 'text') === null) return `has no answer to "${name.slice(0, 80)}"`;
    if (text.length < 19_000 && !text.includes(normalText(name))) return `has the question "${name.slice(0, 80)}", which the page does not show`;
  }
  return null;
}

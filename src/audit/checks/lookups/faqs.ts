/** Questions and answers, as shown and as marked up. */
import { excerpt } from '../../excerpt.ts';
import type { HeadingFact } from '../../facts/pageFacts.ts';
import type { HtmlPage } from '../check.ts';
import { normalText } from '../phrases.ts';
import { isNode, listOf, type SchemaNode, textOf } from '../schemaOrg/schemaNodes.ts';
import { isQuestion } from './questions.ts';

/** Headings with a question mark: going by the first word alone gives too many false positives. */
export function shownQuestions({ facts }: HtmlPage): HeadingFact[] {
  return facts.headings.filter(({ text, hidden }) => !hidden && /[?？؟]$/.test(text) && isQuestion(text, facts));
}

/** Why the questions in FAQ markup are unusable; null if they are fine. */
export function faqProblem(questions: readonly SchemaNode[], text: string): string | null {
  if (questions.length === 0) return 'holds no question';
  for (const question of questions) {
    const name = textOf(question, 'name');
    const answer = listOf(question.acceptedAnswer).filter(isNode)[0];
    if (name === null) return 'has a question without a name';
    if (answer === undefined || textOf(answer, 'text') === null) return `has no answer to "${excerpt(name, 80)}"`;
    if (text.length < 19_000 && !text.includes(normalText(name)))
      return `has the question "${excerpt(name, 80)}", which the page does not show`;
  }
  return null;
}

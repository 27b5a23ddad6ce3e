/** Questions and answers, as shown and as marked up. */
import { excerpt } from '../../excerpt.ts';
import type { HeadingFact } from '../../facts/pageFacts.ts';
import { wordsOf } from '../../facts/text/words.ts';
import type { Pausable } from '../../timeSlices.ts';
import type { HtmlPage } from '../check.ts';
import { isNode, listOf, type SchemaNode, textOf } from '../schemaOrg/schemaNodes.ts';
import { isQuestion } from './questions.ts';

/** Headings with a question mark: going by the first word alone gives too many false positives. */
export function shownQuestions({ facts }: HtmlPage): HeadingFact[] {
  return facts.headings.filter(({ text, hidden }) => !hidden && /[?？؟]$/.test(text) && isQuestion(text, facts));
}

/** Of a question, as far as it is looked for; and of them, between two pauses. */
const COMPARED_WORDS = 60;
const QUESTIONS_AT_ONCE = 64;

/**
 * Pairs of neighboring words of a text. A phrase that is in the text has all its pairs there, and looking for these
 * takes no longer for a text made to be searched in vain.
 */
export function wordPairs(text: string): ReadonlySet<string> {
  const words = wordsOf(text, text.length);
  return new Set(words.map((word, at) => `${word} ${words[at + 1] ?? ''}`).concat(words));
}

function isShown(phrase: string, shown: ReadonlySet<string>): boolean {
  const words = wordsOf(phrase, COMPARED_WORDS);
  return words.every((word, at) => shown.has(at + 1 < words.length ? `${word} ${words[at + 1]}` : word));
}

/**
 * Why the questions in FAQ markup are unusable; null if they are fine. `shown`: the pairs of words of the page; null if
 * not all of its text is known.
 */
export function* faqProblem(
  questions: readonly SchemaNode[],
  shown: ReadonlySet<string> | null,
): Pausable<string | null> {
  if (questions.length === 0) return 'holds no question';
  for (const [nth, question] of questions.entries()) {
    if (nth % QUESTIONS_AT_ONCE === QUESTIONS_AT_ONCE - 1) yield;
    const name = textOf(question, 'name');
    const answer = listOf(question.acceptedAnswer).filter(isNode)[0];
    if (name === null) return 'has a question without a name';
    if (answer === undefined || textOf(answer, 'text') === null) return `has no answer to "${excerpt(name, 80)}"`;
    if (shown !== null && !isShown(name, shown))
      return `has the question "${excerpt(name, 80)}", which the page does not show`;
  }
  return null;
}

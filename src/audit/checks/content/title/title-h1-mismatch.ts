import { htmlPage, titled } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { titleOf } from '../../lookups/siteCode.ts';
import { meaningfulWords } from '../../phrases.ts';

export const titleH1Mismatch = pageCheck({
  id: 'title-h1-mismatch',
  title: 'Title and main heading are about different things',
  category: 'content',
  group: 'title',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Google keeps your title instead of rewriting it.',
  timeToResult: '2-4 weeks',
  risk: 'Differing signals lead to rewritten titles.',
  steps: ['Let both name the same topic.'],
  example: null,
  tags: ['title', 'headings'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: (page) =>
    titled(page) && htmlPage(page) && page.facts.headings.some(({ level, text }) => level === 1 && text !== ''),
  run: (page) => {
    const title = titleOf(page);
    const headings = page.facts.headings.filter(({ level, text }) => level === 1 && text !== '');
    const words = meaningfulWords(title);
    const shared = headings.some(({ text }) =>
      meaningfulWords(text).some((word) => words.some((other) => isSameWord(word, other))),
    );
    const [heading] = headings;
    if (shared || words.length === 0 || heading === undefined || meaningfulWords(heading.text).length === 0) return [];
    return [
      {
        evidence: seen(page, heading.selector, heading.text),
        message: `The title says "${title}", the main heading "${heading.text}".`,
      },
    ];
  },
});

/** Also matches inflected forms: "repair" and "repairs", "open" and "opening". */
function isSameWord(a: string, b: string): boolean {
  const longest = Math.max(a.length, b.length);
  let shared = 0;
  while (shared < longest && a[shared] === b[shared]) shared += 1;
  return shared === longest || (shared >= STEM && longest - shared <= ENDING);
}

/** Minimum shared prefix of two forms of a word, and how many letters at the end may differ. */
const STEM = 4;
const ENDING = 3;

import { htmlPage, titled } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { titleOf } from '../../lookups/siteCode.ts';
import { meaningfulWords } from '../../phrases.ts';

export const titleH1Mismatch = pageCheck({
  id: 'title-h1-mismatch',
  title: 'Title and H1 don’t match',
  category: 'content',
  group: 'title',
  impact: 'low',
  difficulty: 'easy',
  minutes: 15,
  gain: 'Visitors find what the search result promised, and Google is less likely to rewrite your title.',
  timeToResult: '2-4 weeks',
  risk: 'The title and the main heading (h1) have no words in common, so visitors may feel they’ve come to the wrong page, and Google may replace your title in its results. We only compared words, so a title and heading that use synonyms can trigger this warning.',
  steps: [
    'Compare the `<title>` and the `<h1>` that this report quotes. If both name the same subject in different words, leave them as they are.',
    'Otherwise decide what the page is about, in the words people search for.',
    'Use those words in both: `<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>` in your SEO plugin’s settings or the template, and `<h1>YOUR PAGE SUBJECT</h1>` in the page editor. They don’t have to be identical.',
    'Open the page and make sure the browser tab and the main heading name the same subject.',
  ],
  example: {
    before: '<title>YOUR SLOGAN</title>\n<h1>YOUR PAGE SUBJECT</h1>',
    after: '<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>\n<h1>YOUR PAGE SUBJECT</h1>',
  },
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

/** Also matches inflected forms and parts of compounds: "open" and "opening", "slider" and "rangeslider". */
function isSameWord(a: string, b: string): boolean {
  const [part, whole] = a.length < b.length ? [a, b] : [b, a];
  if (part.length >= STEM && (whole.startsWith(part) || whole.endsWith(part))) return true;
  const longest = whole.length;
  let shared = 0;
  while (shared < longest && a[shared] === b[shared]) shared += 1;
  return shared === longest || (shared >= STEM && longest - shared <= ENDING);
}

/** Minimum shared letters of two forms of a word, and how many letters at the end may differ. */
const STEM = 4;
const ENDING = 3;

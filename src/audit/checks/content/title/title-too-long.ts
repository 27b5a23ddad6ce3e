import { wordsOf } from '../../../facts/text/words.ts';
import { titled } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { pixelWidth } from '../../lookups/duplicates/nearDuplicates.ts';
import { html, titleOf } from '../../lookups/siteCode.ts';
import { ownHeading, pagesTitled, shortenedTitle } from '../../lookups/siteFacts.ts';
import { inHead } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const titleTooLong = pageCheck({
  id: 'title-too-long',
  title: 'Title is too long',
  category: 'content',
  group: 'title',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The whole title fits in the search result.',
  timeToResult: '2-4 weeks',
  risk: 'The title is longer than search results can show, so the end may be cut off and part of your message lost.',
  steps: [
    'Open the title in your SEO plugin’s settings, or find the `<title>` tag in the template.',
    'Put the words people search for first and the site’s name, kept short, at the end.',
    'Cut repetitions and slogans until the title is at most 60 characters long, or about 50 if many of its letters are capitals.',
    'View the page source and make sure the text in `<title>` is within this limit.',
  ],
  example: null,
  tags: ['title'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: titled,
  run: (page, site) => {
    const title = titleOf(page);
    const width = pixelWidth(title);
    if (title.length <= THRESHOLDS.titleMax && width <= THRESHOLDS.titleMaxWidth) return [];
    const measure =
      title.length > THRESHOLDS.titleMax
        ? `${title.length} characters; results show about ${THRESHOLDS.titleMax}`
        : `about ${width} px; results show ${THRESHOLDS.titleMaxWidth}`;
    const fits = (text: string): boolean =>
      text.length >= THRESHOLDS.titleMin &&
      text.length <= THRESHOLDS.titleMax &&
      pixelWidth(text) <= THRESHOLDS.titleMaxWidth;
    const shorter = shortenedTitle(title, fits);
    const isFree =
      shorter !== null &&
      pagesTitled(shorter, site) === 0 &&
      !repeats(shorter) &&
      keepsHeading(shorter, title, ownHeading(page, site) ?? '');
    return [
      {
        evidence: seen(page, 'head > title', title),
        message: `The title has ${measure}.`,
        snippet: isFree ? inHead('head > title', `<title>${html(shorter)}</title>`) : null,
      },
    ];
  },
});

/** A list of keywords, of which no part is a title. */
function repeats(title: string): boolean {
  const words = wordsOf(title, MAX_WORDS).filter(({ length }) => length > 3);
  return new Set(words).size < words.length;
}

/** Of a text that is compared. */
const MAX_WORDS = 50;

/** What the page is about, as far as the title says it, must not be in the part that goes. */
function keepsHeading(shorter: string, title: string, heading: string): boolean {
  const [kept, said] = [new Set(wordsOf(shorter, MAX_WORDS)), new Set(wordsOf(title, MAX_WORDS))];
  return wordsOf(heading, MAX_WORDS).every((word) => !said.has(word) || kept.has(word));
}

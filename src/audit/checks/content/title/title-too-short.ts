import type { Snippet } from '../../../../model/findings.ts';
import type { Crawl } from '../../../crawl/site.ts';
import { isIndexable, titled } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { plural, seen } from '../../evidence.ts';
import { pixelWidth } from '../../lookups/duplicates/nearDuplicates.ts';
import { html, titleOf } from '../../lookups/siteCode.ts';
import { ownHeading, pagesTitled, siteName } from '../../lookups/siteFacts.ts';
import { inHead } from '../../lookups/snippets.ts';
import { normalText } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const titleTooShort = pageCheck({
  id: 'title-too-short',
  title: 'Title is too short',
  category: 'content',
  group: 'title',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'The title covers more of what people search for and gives them a reason to click.',
  timeToResult: '2-4 weeks',
  risk: 'The title is very short, so it gives searchers little to go on and leaves out words they may search for.',
  steps: [
    'Open the title in your SEO plugin’s settings, or find the `<title>` tag in the template.',
    'Add what sets the page apart, such as the kind of product, the place, the audience, or the benefit.',
    'End with the site’s name: `<title>YOUR PRODUCT for YOUR AUDIENCE | YOUR SITE NAME</title>`.',
    'View the page source and make sure the text in `<title>` is 20 to 60 characters long.',
  ],
  example: {
    before: '<title>YOUR PRODUCT</title>',
    after: '<title>YOUR PRODUCT for YOUR AUDIENCE | YOUR SITE NAME</title>',
  },
  tags: ['title'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: (page, site) => titled(page) && isIndexable(page, site),
  run: (page, site) => {
    const title = titleOf(page);
    const length = pixelWidth(title) / LATIN_WIDTH;
    if (title.length >= THRESHOLDS.titleMin || length >= THRESHOLDS.titleMin) return [];
    return [
      {
        evidence: seen(page, 'head > title', title),
        message: `The title "${title}" has ${plural(title.length, 'character')}; aim for ${THRESHOLDS.titleMin} to ${THRESHOLDS.titleMax}.`,
        snippet: lengthened(title, page, site),
      },
    ];
  },
});

/** With the main heading, if that says what the title says and more, and with the site's name; null if that is no better. */
function lengthened(title: string, page: HtmlPage, site: Crawl): Snippet | null {
  const [heading, name] = [ownHeading(page, site), siteName(site)];
  if (heading === null) return null;
  const isNamed = name !== null && title.endsWith(name) && /\s[|–—·»-]\s$/.test(title.slice(0, -name.length));
  const [subject, end] = isNamed
    ? [title.slice(0, -name.length - 3), title.slice(-name.length - 3)]
    : [title, name === null || normalText(title).includes(normalText(name)) ? '' : ` – ${name}`];
  const longer = heading + end;
  const saysAll = ` ${normalText(heading)} `.includes(` ${normalText(subject)} `);
  const fits =
    longer.length >= THRESHOLDS.titleMin &&
    longer.length <= THRESHOLDS.titleMax &&
    pixelWidth(longer) <= THRESHOLDS.titleMaxWidth;
  return saysAll && fits && pagesTitled(longer, site) === 0
    ? inHead('head > title', `<title>${html(longer)}</title>`)
    : null;
}

/** Average width of a Latin letter, px: in other scripts, each letter says more. */
const LATIN_WIDTH = 9;

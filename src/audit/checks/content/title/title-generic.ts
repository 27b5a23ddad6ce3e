import { titled } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { headingOf, html, titleOf } from '../../lookups/siteCode.ts';
import { ownHeading, pagesTitled } from '../../lookups/siteFacts.ts';
import { hostOf, pathOf } from '../../lookups/siteIndex.ts';
import { inHead } from '../../lookups/snippets.ts';
import { DEFAULT_TITLES, normalText } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const titleGeneric = pageCheck({
  id: 'title-generic',
  title: 'Title is generic',
  category: 'content',
  group: 'title',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Searchers see at once what the page offers.',
  timeToResult: '1-3 weeks',
  risk: 'The title is a default such as “Home” or “Untitled,” or only the domain, so it tells searchers nothing, and Google may replace it.',
  steps: [
    'Open the title in your SEO plugin’s settings, in the page’s settings, or in the template.',
    'Replace it with the page’s subject, followed by the site’s name: `<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>`.',
    'If it’s the home page, say what you offer and, for a local business, where.',
    'Open the page and make sure the browser tab shows the new title.',
  ],
  example: { before: '<title>Home</title>', after: '<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>' },
  tags: ['title'],
  source: 'Google Search Central: Title links (https://developers.google.com/search/docs/appearance/title-link)',
  appliesTo: titled,
  run: (page, site) => {
    const title = normalText(titleOf(page));
    const host = hostOf(page.outcome.url).toLowerCase();
    const [subject = title, ...tail] = title.split(/(?<!\s)\s+[|–—-]\s+/);
    const heading = headingOf(page);
    // A title such as "Index" is intended if the heading starts with the same word.
    const isLeftOver =
      tail.length > 0 &&
      DEFAULT_TITLES.includes(subject) &&
      !normalText(heading).startsWith(subject) &&
      pathOf(page.outcome.url) !== '/';
    if (!DEFAULT_TITLES.includes(title) && title !== host && `www.${title}` !== host && !isLeftOver) return [];
    const own = ownHeading(page, site);
    const isBetter =
      own !== null && normalText(own) !== title && own.length <= THRESHOLDS.titleMax && pagesTitled(own, site) === 0;
    return [
      {
        evidence: seen(page, 'head > title', titleOf(page)),
        message: `The title "${titleOf(page)}" says nothing about this page.`,
        snippet: isBetter ? inHead('head > title', `<title>${html(own)}</title>`) : null,
      },
    ];
  },
});

import type { Snippet } from '../../../../model/findings.ts';
import { seenPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { html } from '../../lookups/siteCode.ts';
import { ownHeading, pagesTitled } from '../../lookups/siteFacts.ts';
import { addedToHead, inHead } from '../../lookups/snippets.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const titleMissing = pageCheck({
  id: 'title-missing',
  title: 'Page has no title',
  category: 'content',
  group: 'title',
  impact: 'high',
  difficulty: 'easy',
  minutes: 10,
  gain: 'Search results and browser tabs show a headline you wrote.',
  timeToResult: '1-3 weeks',
  risk: 'The page has no title in its head, or an empty one, so search engines have to make up a headline for the result, and browser tabs may show the bare URL.',
  steps: [
    'Enter a title in your SEO plugin’s settings, or in the template, add `<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>` to the page’s `<head>`.',
    'If there’s a `<title>` in the `<body>`, move it to the `<head>`.',
    'Write the page’s subject first and the site’s name last, in up to 60 characters, and use a different title on every page.',
    'View the page source and make sure the `<head>` has one `<title>`, with your text in it.',
  ],
  example: { before: null, after: '<title>YOUR PAGE SUBJECT | YOUR SITE NAME</title>' },
  tags: ['title'],
  source: 'axe-core rule document-title (https://dequeuniversity.com/rules/axe/)',
  lighthouse: 'document-title',
  appliesTo: seenPage,
  run: (page, site) => {
    const { titles } = page.facts;
    const title = titles.find(({ inHead }) => inHead) ?? titles[0];
    if (title?.inHead && title.text !== '') return [];
    const astray = title !== undefined && !title.inHead && title.text !== '';
    const text = astray ? title.text : ownHeading(page, site);
    const fits =
      text !== null &&
      text.length >= THRESHOLDS.titleMin &&
      text.length <= THRESHOLDS.titleMax &&
      pagesTitled(text, site) === 0;
    const message = astray
      ? `The title "${title.text}" is in the body.`
      : title === undefined
        ? 'The page has no title.'
        : 'The title is empty.';
    const value = astray ? title.text : title === undefined ? 'missing' : 'empty';
    return [
      {
        evidence: seen(page, astray ? 'body title' : 'head > title', value),
        message,
        hint: astray,
        snippet: fits ? titleSet(title?.inHead === true, text) : null,
      },
    ];
  },
});

function titleSet(isThere: boolean, text: string): Snippet {
  const title = `<title>${html(text)}</title>`;
  return isThere ? inHead('head > title', title) : addedToHead(title);
}

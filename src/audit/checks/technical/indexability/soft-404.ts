import type { Crawl } from '../../../crawl/site.ts';
import { contentPage } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { hasOnlyErrorWords, isErrorHeading, NOT_FOUND } from '../../phrases.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const soft404 = pageCheck({
  id: 'soft-404',
  title: 'Page looks like an error but returns status 200',
  category: 'technical',
  group: 'indexability',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 30,
  gain: 'Search engines know right away that the page is gone and move on to your real ones.',
  timeToResult: '2-4 weeks',
  risk: 'This page reads like an error page but returns a 200 status, so search engines leave it out and keep coming back to it. We flagged it because the text is short and the title or main heading reads like an error message, so look at the page before you change anything.',
  steps: [
    'Open the URL. If the page is fine, reword the title or heading that reads like an error message.',
    'If the page is gone and your CMS still has it, delete it there. If another page replaces it, set up a 301 redirect to that page in your CMS, your web host’s control panel, or the server’s configuration.',
    'If your CMS has no such page, your site sends its error page with the wrong status. Open a made-up URL on your site. If its status is 200 too, ask your host’s support team or whoever made your theme to have missing pages return 404.',
    'Remove links to a page that is gone from your own pages.',
    'Open the Network tab in your browser’s developer tools, open the URL, click its entry, and make sure its status is 404, 410, or 301. If you kept the page, run the audit again and make sure this issue is gone.',
  ],
  // No code is written: whether the page is gone, only the owner knows.
  example: { before: 'HTTP/1.1 200 OK', after: 'HTTP/1.1 404 Not Found' },
  tags: ['status', '404'],
  source:
    'Google Search Central: HTTP status codes and soft 404 (https://developers.google.com/search/docs/crawling-indexing/http-network-errors)',
  appliesTo: (page) => contentPage(page) && page.outcome.status === 200,
  run: (page, site) => {
    const { facts } = page;
    if (facts.wordCount >= THRESHOLDS.soft404Words) return [];
    const titles = facts.titles.slice(0, 1).map(({ text }) => ({ text, place: 'head > title' }));
    const headings = facts.headings
      .filter(({ level }) => level === 1)
      .map(({ text, selector }) => ({ text, place: selector }));
    const all = [...titles, ...headings];
    const match = isAnswerToAnything(page, site)
      ? all.find(({ text }) => NOT_FOUND.test(text))
      : isArticle(headings)
        ? undefined
        : all.find(({ text }) => partsOf(text).some(isErrorHeading));
    if (match === undefined) return [];
    return [
      {
        evidence: seen(page, match.place, match.text),
        message: `The page says "${match.text}" but answers with status 200.`,
      },
    ];
  },
});

/** A heading that speaks of errors in a sentence of its own. */
function isArticle(headings: readonly { readonly text: string }[]): boolean {
  return headings.some(({ text }) => NOT_FOUND.test(text) && !partsOf(text).some(isAboutError));
}

function isAboutError(text: string): boolean {
  return NOT_FOUND.test(text) && hasOnlyErrorWords(text);
}

/** A title without the name of the site, which stands behind a bar or dash. */
function partsOf(text: string): readonly string[] {
  return text.slice(0, 300).split(/\s[|–—·•»-]\s|[|·•»]/);
}

/** An address that cannot exist gets a page with the same title. */
function isAnswerToAnything({ facts, from }: HtmlPage, { discovery }: Crawl): boolean {
  const title = facts.titles[0]?.text ?? '';
  return from !== 'start' && title !== '' && discovery.missingTitle === title;
}
